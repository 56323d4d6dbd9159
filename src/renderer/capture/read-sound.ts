import { pcmRateHz } from './pcm.ts';
import { readTrack } from './track-processor.ts';

interface SoundReading {
  signal: AbortSignal;
  onData: (data: AudioData) => void;
}

/** The most blocks that wait. Sound may queue, since a gap can be heard. */
const maxWaiting = 50;
/** A working track sends sound at least this often. */
const maxPauseMs = 1_000;

/** Calls `onData` with each block of samples of a track, at 48 kHz, until `signal` aborts. */
export async function readSound(track: MediaStreamTrack, { signal, onData }: SoundReading): Promise<void> {
  const { sampleRate } = track.getSettings();
  if (sampleRate === undefined || sampleRate === pcmRateHz) await readTrack<AudioData>(track, { maxWaiting, signal, onData });
  else await readResampled(track, { signal, onData });
}

/**
 * The browser resamples a device with another rate. While the device sends nothing, that yields silence, which is left out: it would pass
 * for sound.
 */
async function readResampled(track: MediaStreamTrack, { signal, onData }: SoundReading): Promise<void> {
  const context = new AudioContext({ sampleRate: pcmRateHz });
  const resampled = context.createMediaStreamDestination();
  context.createMediaStreamSource(new MediaStream([track])).connect(resampled);
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  let sentAtMs = Number.NEGATIVE_INFINITY;
  try {
    await Promise.all([
      readTrack<AudioData>(track, {
        maxWaiting: 1,
        signal: both,
        onData: () => {
          sentAtMs = performance.now();
        },
      }),
      readTrack<AudioData>(resampled.stream.getAudioTracks()[0] ?? track, {
        maxWaiting,
        signal: both,
        onData: (data) => {
          if (performance.now() - sentAtMs <= maxPauseMs) onData(data);
        },
      }),
    ]);
  } finally {
    over.abort();
    void context.close();
  }
}
