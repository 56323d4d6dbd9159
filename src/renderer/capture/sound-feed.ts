import { formatCapturedMedia } from '../../shared/capture-message.ts';
import type { CaptureFeedOptions } from './capture-feed.ts';
import { MissCounter } from './miss-counter.ts';
import { isDigitalSilence, pcmRateHz, toPcm } from './pcm.ts';
import { readSound } from './read-sound.ts';

/** How much sound may wait: a second, since sound is small and a gap can be heard. */
const maxQueuedSoundBytes = pcmRateHz * 4;
/** A sound that has been exactly zero for this long is withheld by the system. */
const silentAfterMs = 5_000;

/** Sends a capture's sound. */
export class SoundFeed {
  readonly #options: Pick<CaptureFeedOptions, 'media' | 'socket' | 'onSilence' | 'onStuck'>;
  readonly #misses: MissCounter;
  /** The last report of silence, which still holds while nobody wants the sound. */
  #wasSilent = false;

  constructor(options: Pick<CaptureFeedOptions, 'media' | 'socket' | 'onSilence' | 'onStuck'>) {
    this.#options = options;
    this.#misses = new MissCounter(options.onStuck);
  }

  /** The service misses the sound of a microphone, which sends even silence unless something is wrong. */
  miss(): void {
    this.#misses.miss();
  }

  /** The wanted media has changed. */
  begin(): void {
    this.#misses.restart();
  }

  /** Sends sound until `signal` aborts or the track ends; calls `works` after each block that was read. */
  async send(signal: AbortSignal, works: () => void): Promise<void> {
    const { media, socket, onSilence } = this.#options;
    const { sound: track } = media;
    if (track === undefined) return;
    let silentSinceMs: number | undefined;
    await readSound(track, {
      signal,
      onData: (data) => {
        this.#misses.restart();
        const now = performance.now();
        const channels = readChannels(data);
        works();
        silentSinceMs = isDigitalSilence(channels) ? (silentSinceMs ?? now) : undefined;
        const isSilent = silentSinceMs !== undefined && now - silentSinceMs > silentAfterMs;
        if (isSilent !== this.#wasSilent) onSilence(isSilent);
        this.#wasSilent = isSilent;
        if (socket.bufferedAmount > maxQueuedSoundBytes || socket.readyState !== WebSocket.OPEN) return;
        socket.send(formatCapturedMedia({ kind: 'sound', bytes: toPcm(channels) }));
      },
    });
  }
}

/** The front channels, at most two. */
function readChannels(data: AudioData): Float32Array[] {
  return Array.from({ length: Math.min(2, data.numberOfChannels) }, (_, planeIndex) => {
    const samples = new Float32Array(data.numberOfFrames);
    data.copyTo(samples, { planeIndex, format: 'f32-planar' });
    return samples;
  });
}
