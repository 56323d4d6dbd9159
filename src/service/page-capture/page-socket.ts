import type { WebSocket } from 'ws';
import { CaptureNews, type CaptureWish, parseCapturedMedia } from '../../shared/capture-message.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { runHarmlessly } from '../lib/faults.ts';

/** The pictures that somebody wishes; sides are even. */
export interface PictureWish {
  width: number;
  height: number;
  fps: number;
}

/** Who takes a capture's pictures. */
export interface PictureListener {
  /** A picture in I420, whose bytes nobody changes any more. */
  onPicture(bytes: Buffer, size: { width: number; height: number }): void;
  onLost(fault: CaptureFault): void;
}

/** Who takes a capture's sound. */
export interface SoundListener {
  onSound(pcm: Buffer): void;
  onLost(fault: CaptureFault): void;
  /** It is captured again, and may send nothing for any time. What sends all the time is back with its next sound. */
  onBack(): void;
}

interface PageSocketOptions {
  socket: WebSocket;
  tracks: { hasVideo: boolean; hasAudio: boolean };
  /**
   * Whether its sound comes all the time unless something is wrong, as a microphone's does. What the computer plays may send nothing while
   * nothing plays (WASAPI, loopback recording).
   */
  isSoundSteady: boolean;
  pictures: () => Iterable<PictureListener>;
  sounds: () => Iterable<SoundListener>;
  /** Why a track has ended. */
  explainEnd: () => CaptureFault;
  onClose: () => void;
}

/** The status of a message that can't be read (RFC 6455 §7.4.1). */
const unreadable = 1007;

/** After this many looks without a picture or a steady sound, it is reported as stuck. Every look but the first asks the page for it. */
const stuckLooks = 3;

/** The socket of one capture: what its page sends goes to the listeners, and what they want goes to the page. */
export class PageSocket {
  readonly #options: PageSocketOptions;
  readonly #states: { video: CaptureNews['state'] | 'missing'; audio: CaptureNews['state'] | 'missing' };
  #wanted: { width: number; height: number } | undefined;
  #isSoundWanted = false;
  #taken = 0;
  #told = '';
  /** How many looks in a row found nothing of a track that should send. */
  readonly #looks = { video: 0, audio: 0 };

  constructor(options: PageSocketOptions) {
    const { socket, tracks, onClose } = options;
    this.#options = options;
    this.#states = { video: tracks.hasVideo ? 'live' : 'missing', audio: tracks.hasAudio ? 'live' : 'missing' };
    socket.on('message', (data, isBinary) =>
      runHarmlessly(() => this.#hear(data as Buffer, isBinary), 'hearing a capture page'),
    );
    socket.on('close', onClose);
  }

  /** Why a track sends nothing; undefined while it should. */
  fault(track: 'video' | 'audio'): CaptureFault | undefined {
    switch (this.#states[track]) {
      case 'missing':
        return { code: track === 'video' ? 'no-video' : 'no-sound' };
      case 'muted':
        return { code: 'muted' };
      case 'ended':
        return this.#options.explainEnd();
      case 'live':
        return this.#looks[track] >= stuckLooks ? { code: 'stuck' } : undefined;
    }
  }

  /**
   * Looks whether pictures and a steady sound still come; call it every two seconds. A page that sends no picture is asked for its last
   * one, which a screen that doesn't change has; if it has none either, the picture is away.
   */
  look(): void {
    const { pictures, sounds, isSoundSteady } = this.#options;
    this.#lookFor('video', this.#wanted !== undefined, pictures);
    this.#lookFor('audio', this.#isSoundWanted && isSoundSteady, sounds);
  }

  /** Tells the page what is wanted now. */
  want(wish: CaptureWish & { kind: 'want' }): void {
    this.#wanted = wish.video;
    this.#isSoundWanted = wish.audio;
    const text = JSON.stringify(wish);
    if (text === this.#told) return;
    this.#told = text;
    this.#looks.video = 0;
    this.#looks.audio = 0;
    this.#options.socket.send(text);
  }

  close(): void {
    this.#options.socket.terminate();
  }

  #lookFor(track: 'video' | 'audio', isWanted: boolean, listeners: () => Iterable<Pick<SoundListener, 'onLost'>>): void {
    if (!isWanted || this.#states[track] !== 'live') {
      this.#looks[track] = 0;
      return;
    }
    this.#looks[track] += 1;
    if (this.#looks[track] === 1) return;
    const again: CaptureWish = { kind: 'again' };
    this.#options.socket.send(JSON.stringify(again));
    if (this.#looks[track] === stuckLooks) for (const listener of listeners()) listener.onLost({ code: 'stuck' });
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (!isBinary) {
      this.#hearNews(data);
      return;
    }
    const media = parseCapturedMedia(data);
    if (media?.kind === 'picture') this.#takePicture(media);
    else if (media?.kind === 'sound') this.#takeSound(media.bytes);
    else this.#options.socket.close(unreadable);
  }

  #takePicture({ width, height, bytes }: { width: number; height: number; bytes: Buffer }): void {
    this.#taken += 1;
    const took: CaptureWish = { kind: 'took', frames: this.#taken };
    this.#options.socket.send(JSON.stringify(took));
    // It was under way when another size was asked for, or when the system muted the track.
    if (width !== this.#wanted?.width || height !== this.#wanted.height || this.#states.video !== 'live') return;
    this.#looks.video = 0;
    for (const listener of this.#options.pictures()) listener.onPicture(bytes, { width, height });
  }

  /** A muted track keeps sending silence, which must not pass for sound that is back. */
  #takeSound(bytes: Buffer): void {
    if (this.#states.audio !== 'live') return;
    this.#looks.audio = 0;
    for (const listener of this.#options.sounds()) listener.onSound(bytes);
  }

  /** Tells who takes the sound that it is captured, if it is and may be silent. */
  tellBack(): void {
    if (this.#options.isSoundSteady || this.fault('audio') !== undefined) return;
    for (const listener of this.#options.sounds()) listener.onBack();
  }

  #hearNews(data: Buffer): void {
    const news = parseNews(data);
    if (news === undefined) {
      this.#options.socket.close(unreadable);
      return;
    }
    if (this.#states[news.track] === 'missing') return;
    this.#states[news.track] = news.state;
    if (news.track === 'audio') this.tellBack();
    const fault = this.fault(news.track);
    if (fault === undefined) return;
    const listeners = news.track === 'video' ? this.#options.pictures() : this.#options.sounds();
    for (const listener of listeners) listener.onLost(fault);
  }
}

function parseNews(data: Buffer): CaptureNews | undefined {
  try {
    return CaptureNews.parse(JSON.parse(data.toString()));
  } catch {
    return undefined;
  }
}
