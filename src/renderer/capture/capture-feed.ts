import { type CaptureNews, CaptureWish, formatCapturedMedia } from '../../shared/capture-message.ts';
import { Demand } from './demand.ts';
import type { OpenedMedia } from './open-media.ts';
import { isDigitalSilence, pcmRateHz, toPcm } from './pcm.ts';
import { PictureFeed, type WantedPicture } from './picture-feed.ts';
import { readTrack } from './track-processor.ts';

/** Sound is small, and a gap is heard: it may wait for a second. */
const maxQueuedSoundBytes = pcmRateHz * 4;
/** A sound that has been exactly zero for this long is withheld by the system. */
const silentAfterMs = 5_000;

export interface FeedOptions {
  media: OpenedMedia;
  socket: WebSocket;
  /** The sound is exactly zero, or no longer. */
  onSilence: (isSilent: boolean) => void;
  /** A frame couldn't be read or copied; sending it is tried again. Undefined once that works. */
  onFault: (error: unknown) => void;
  /** A camera is open, but has sent no frame for seconds. */
  onStuck: () => void;
}

/** Sends a capture's media over an open socket, as far as the service wants them, until the socket closes. */
export async function feedCapture(options: FeedOptions): Promise<void> {
  const { media, socket, onFault } = options;
  const closed = new AbortController();
  const pictureFeed = new PictureFeed(options);
  const pictures = new Demand<WantedPicture>((wanted, signal, works) => pictureFeed.send(wanted, signal, works), onFault);
  const sound = new Demand<true>((_wanted, signal, works) => sendSound(options, signal, works), onFault);
  socket.addEventListener('message', ({ data }) => {
    const word = CaptureWish.parse(JSON.parse(String(data)));
    if (word.kind === 'took') return pictureFeed.took(word.frames);
    if (word.kind === 'again') return pictureFeed.repeat() ? undefined : pictures.again();
    pictureFeed.begin();
    pictures.set(media.picture && word.video);
    sound.set(media.sound && word.audio ? true : undefined);
  });
  for (const [track, name] of [
    [media.picture, 'video'],
    [media.sound, 'audio'],
  ] as const) {
    if (track !== undefined) tellState(socket, track, name, closed.signal);
  }
  await new Promise((resolve) => socket.addEventListener('close', resolve));
  closed.abort();
  pictures.set(undefined);
  sound.set(undefined);
}

/** Tells the service when the system mutes a track, and when it has ended. */
function tellState(socket: WebSocket, track: MediaStreamTrack, name: 'video' | 'audio', signal: AbortSignal): void {
  const tell = () => {
    const state = track.readyState === 'ended' ? 'ended' : track.muted ? 'muted' : 'live';
    const news: CaptureNews = { kind: 'track', track: name, state };
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(news));
  };
  for (const event of ['mute', 'unmute', 'ended']) track.addEventListener(event, tell, { signal });
  tell();
}

async function sendSound(
  { media: { sound: track }, socket, onSilence }: FeedOptions,
  signal: AbortSignal,
  works: () => void,
): Promise<void> {
  if (track === undefined) return;
  let silentSinceMs: number | undefined;
  let wasSilent = false;
  using resampled = resample(track);
  await readTrack<AudioData>(resampled.track, {
    maxWaiting: 50,
    signal,
    onData: (data) => {
      const now = performance.now();
      const channels = readChannels(data);
      works();
      silentSinceMs = isDigitalSilence(channels) ? (silentSinceMs ?? now) : undefined;
      const isSilent = silentSinceMs !== undefined && now - silentSinceMs > silentAfterMs;
      if (isSilent !== wasSilent) onSilence(isSilent);
      wasSilent = isSilent;
      if (socket.bufferedAmount > maxQueuedSoundBytes || socket.readyState !== WebSocket.OPEN) return;
      socket.send(formatCapturedMedia({ kind: 'sound', bytes: toPcm(channels) }));
    },
  });
}

/** The front channels, at most two. */
function readChannels(data: AudioData): Float32Array[] {
  return Array.from({ length: Math.min(2, data.numberOfChannels) }, (_, planeIndex) => {
    const samples = new Float32Array(data.numberOfFrames);
    data.copyTo(samples, { planeIndex, format: 'f32-planar' });
    return samples;
  });
}

/** The track at 48 kHz, until disposed: a device of another rate is resampled by the browser. */
function resample(track: MediaStreamTrack): { track: MediaStreamTrack } & Disposable {
  const { sampleRate } = track.getSettings();
  if (sampleRate === undefined || sampleRate === pcmRateHz) return { track, [Symbol.dispose]: () => {} };
  const context = new AudioContext({ sampleRate: pcmRateHz });
  const resampled = context.createMediaStreamDestination();
  context.createMediaStreamSource(new MediaStream([track])).connect(resampled);
  return { track: resampled.stream.getAudioTracks()[0] ?? track, [Symbol.dispose]: () => void context.close() };
}
