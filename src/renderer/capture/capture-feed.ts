import { type CaptureNews, CaptureWish, formatCapturedMedia, maxUntakenPictures } from '../../shared/capture-message.ts';
import { type OpenedMedia, pictureConstraints } from './open-media.ts';
import { isDigitalSilence, pcmRateHz, toPcm } from './pcm.ts';
import { PictureCopier } from './picture-copier.ts';
import { readTrack } from './track-processor.ts';

type WantedPicture = NonNullable<Extract<CaptureWish, { kind: 'want' }>['video']>;

/** Sound is small, and a gap is heard: it may wait for a second. */
const maxQueuedSoundBytes = pcmRateHz * 4;
/** A sound that has been exactly zero for this long is withheld by the system. */
const silentAfterMs = 5_000;

interface FeedOptions {
  media: OpenedMedia;
  socket: WebSocket;
  /** The sound is exactly zero, or no longer. */
  onSilence: (isSilent: boolean) => void;
  /** A frame couldn't be read: the track has ended. */
  onFault: (error: unknown) => void;
}

/** Sends a capture's media over an open socket, as far as the service wants them, until the socket closes. */
export async function feedCapture(options: FeedOptions): Promise<void> {
  const { media, socket, onFault } = options;
  const closed = new AbortController();
  const pictures = new Demand<WantedPicture>((wanted, signal) => sendPictures(options, { wanted, signal, untaken }), onFault);
  const sound = new Demand<true>((_wanted, signal) => sendSound(options, signal), onFault);
  const untaken = new UntakenPictures();
  socket.addEventListener('message', ({ data }) => {
    const word = CaptureWish.parse(JSON.parse(String(data)));
    if (word.kind === 'took') return untaken.took(word.frames);
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

/** Runs `send` while something is wanted, and starts it again when something else is. */
class Demand<Wanted> {
  readonly #send: (wanted: Wanted, signal: AbortSignal) => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  #current: { key: string; abort: AbortController } | undefined;

  constructor(send: (wanted: Wanted, signal: AbortSignal) => Promise<void>, onFault: (error: unknown) => void) {
    this.#send = send;
    this.#onFault = onFault;
  }

  set(wanted: Wanted | undefined): void {
    const key = JSON.stringify(wanted) ?? '';
    if (key === (this.#current?.key ?? '')) return;
    this.#current?.abort.abort();
    this.#current = undefined;
    if (wanted === undefined) return;
    const abort = new AbortController();
    this.#current = { key, abort };
    this.#send(wanted, abort.signal).catch(this.#onFault);
  }
}

/** Counts the pictures that the service has not taken yet. */
class UntakenPictures {
  #sent = 0;
  #taken = 0;

  get isFull(): boolean {
    return this.#sent - this.#taken >= maxUntakenPictures;
  }

  sent(): void {
    this.#sent += 1;
  }

  took(frames: number): void {
    this.#taken = frames;
  }
}

async function sendPictures(
  { media: { of, picture: track }, socket }: FeedOptions,
  { wanted, signal, untaken }: { wanted: WantedPicture; signal: AbortSignal; untaken: UntakenPictures },
): Promise<void> {
  if (track === undefined) return;
  // A camera that can't do it keeps its size; the copier scales.
  await track.applyConstraints(pictureConstraints(of, wanted)).catch(() => {});
  const copier = new PictureCopier(wanted);
  let lastUs = Number.NEGATIVE_INFINITY;
  await readTrack<VideoFrame>(track, {
    // The newest frame wins: the browser drops older ones.
    maxWaiting: 1,
    signal,
    onData: async (frame) => {
      const isEarly = frame.timestamp - lastUs < 750_000 / wanted.fps;
      if (isEarly || untaken.isFull) return;
      lastUs = frame.timestamp;
      const picture = await copier.copy(frame);
      if (signal.aborted || socket.readyState !== WebSocket.OPEN) return;
      untaken.sent();
      socket.send(formatCapturedMedia({ kind: 'picture', ...picture }));
    },
  });
}

async function sendSound({ media: { sound: track }, socket, onSilence }: FeedOptions, signal: AbortSignal): Promise<void> {
  if (track === undefined) return;
  let silentSinceMs: number | undefined;
  let wasSilent = false;
  await readTrack<AudioData>(resample(track, signal), {
    maxWaiting: 50,
    signal,
    onData: (data) => {
      const now = performance.now();
      const channels = readChannels(data);
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

/** The track at 48 kHz: a device of another rate is resampled by the browser. */
function resample(track: MediaStreamTrack, signal: AbortSignal): MediaStreamTrack {
  const { sampleRate } = track.getSettings();
  if (sampleRate === undefined || sampleRate === pcmRateHz) return track;
  const context = new AudioContext({ sampleRate: pcmRateHz });
  const resampled = context.createMediaStreamDestination();
  context.createMediaStreamSource(new MediaStream([track])).connect(resampled);
  signal.addEventListener('abort', () => void context.close());
  return resampled.stream.getAudioTracks()[0] ?? track;
}
