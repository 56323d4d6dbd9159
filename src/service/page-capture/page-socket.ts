import type { WebSocket } from 'ws';
import { CaptureNews, type CaptureWish, parseCapturedMedia } from '../../shared/capture-message.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import { runHarmlessly } from '../lib/faults.ts';

/** The pictures that a listener wants; sides are even. */
export interface PictureWish {
  width: number;
  height: number;
  fps: number;
}

/** Takes a capture's pictures. */
export interface PictureListener {
  /** A picture in I420, whose bytes nobody changes any more. */
  onPicture(bytes: Buffer, size: { width: number; height: number }): void;
  onLost(fault: CaptureFault): void;
}

/** Takes a capture's sound. */
export interface SoundListener {
  onSound(pcm: Buffer): void;
  onLost(fault: CaptureFault): void;
  /**
   * Sound is captured again, but may be silent for any time. Only called for sound that isn't steady: steady sound is back with its next
   * samples.
   */
  onBack(): void;
}

interface PageSocketOptions {
  socket: WebSocket;
  tracks: { hasVideo: boolean; hasAudio: boolean };
  /**
   * Whether its sound is sent all the time unless something is wrong, as a microphone's is. System sound may send nothing while nothing
   * plays (WASAPI, loopback recording).
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

/** The socket of one capture: passes the page's media to the listeners, and their wishes to the page. */
export class PageSocket {
  readonly #options: PageSocketOptions;
  readonly #states: { video: CaptureNews['state'] | 'missing'; audio: CaptureNews['state'] | 'missing' };
  #wanted: { width: number; height: number } | undefined;
  #isSoundWanted = false;
  #taken = 0;
  #told = '';
  /** For each track that should send: how many looks in a row found nothing. */
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
  fault(track: TrackKind): CaptureFault | undefined {
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
   * Checks that pictures and steady sound still arrive; call it every two seconds. If a page sends no picture, it is asked for its last
   * one, which it has of a screen that doesn't change; without one, the picture is away.
   */
  look(): void {
    const { pictures, sounds, isSoundSteady } = this.#options;
    this.#lookFor('video', this.#wanted !== undefined, pictures);
    this.#lookFor('audio', this.#isSoundWanted && isSoundSteady, sounds);
  }

  /** Tells the page the current wishes. */
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

  #lookFor(track: TrackKind, isWanted: boolean, listeners: () => Iterable<Pick<SoundListener, 'onLost'>>): void {
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
    // The picture was in flight when another size was requested, or when the system muted the track.
    if (width !== this.#wanted?.width || height !== this.#wanted.height || this.#states.video !== 'live') return;
    this.#looks.video = 0;
    for (const listener of this.#options.pictures()) listener.onPicture(bytes, { width, height });
  }

  /** A muted track keeps sending silence, which must not count as returned sound. */
  #takeSound(bytes: Buffer): void {
    if (this.#states.audio !== 'live') return;
    this.#looks.audio = 0;
    for (const listener of this.#options.sounds()) listener.onSound(bytes);
  }

  /** Tells the sound's listeners that it is captured, if it is and may be silent. */
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
