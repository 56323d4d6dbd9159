/** Yields a track's frames (MediaStreamTrack Insertable Media Processing using Streams, "MediaStreamTrackProcessor"). */
interface TrackProcessor<Data> {
  readonly readable: ReadableStream<Data>;
}

type TrackProcessorClass = new (options: {
  track: MediaStreamTrack;
  maxBufferSize: number;
}) => TrackProcessor<VideoFrame | AudioData>;

/** TypeScript's types don't have it: Chromium offers it in windows, the draft only in workers. */
function findProcessor(): TrackProcessorClass | undefined {
  return (globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }).MediaStreamTrackProcessor;
}

/** Whether this browser hands out a track's frames. */
export const canReadTracks = (): boolean => findProcessor() !== undefined;

/**
 * Calls `onData` with each frame or block of samples of a track until `signal` aborts or the track ends. It closes each afterwards.
 * While one is being handled, the browser keeps only the newest `maxWaiting`, so nothing piles up.
 */
export async function readTrack<Data extends VideoFrame | AudioData>(
  track: MediaStreamTrack,
  { maxWaiting, signal, onData }: { maxWaiting: number; signal: AbortSignal; onData: (data: Data) => Promise<void> | void },
): Promise<void> {
  const Processor = findProcessor();
  if (Processor === undefined) throw new Error('This browser has no MediaStreamTrackProcessor.');
  const reader = new Processor({ track, maxBufferSize: maxWaiting }).readable.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted) {
      const { value } = await reader.read();
      if (value === undefined) break;
      try {
        if (!signal.aborted) await onData(value as Data);
      } finally {
        value.close();
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
