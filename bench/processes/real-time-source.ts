import { readFileSync } from 'node:fs';
import { FlvReader } from '../../src/service/flv/flv-file.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { findTagRole } from '../../test/support/tag-role.ts';

/** Frames are sent at most this long after they are due. */
const stepMs = 5;
const maxFrameMs = 34;

/** A frame's timestamp, and when it was sent, in Unix milliseconds. */
export type VideoSent = readonly [timestampMs: number, at: number];

interface Player {
  take: (tag: FlvTag) => void;
  /** How much later than the first one it starts. */
  delayMs: number;
  next: number;
  sinceMs: number;
  loops: number;
  sentMs: number;
}

/**
 * Plays an FLV file to many receivers in real time, in a loop. Each starts at its own position in the file, so that their keyframes do
 * not coincide, as with independent encoders.
 */
export class RealTimeSource {
  readonly #once: readonly FlvTag[];
  readonly #looped: readonly FlvTag[];
  readonly #loopMs: number;
  #players: Player[] = [];
  #startedAt = 0;
  #mediaBytes = 0;
  readonly #videoSent: VideoSent[] = [];

  constructor(file: string) {
    const tags = new FlvReader().push(readFileSync(file));
    this.#once = tags.filter((tag) => findTagRole(tag) === 'config');
    this.#looped = tags.filter((tag) => !this.#once.includes(tag));
    const last = this.#looped.findLast(({ kind }) => kind === 'video');
    const frameMs = 1000 / 30;
    this.#loopMs = Math.round((last?.timestampMs ?? 0) - (this.#looped[0]?.timestampMs ?? 0) + frameMs);
  }

  /** The media sent so far, and the fraction of the due media that it is. */
  report(): { mediaBytes: number; keptUp: number; videoSent: readonly VideoSent[] } {
    const elapsedMs = performance.now() - this.#startedAt;
    const parts = this.#players.map(({ delayMs, sentMs }) => (sentMs + maxFrameMs) / Math.max(elapsedMs - delayMs, 1));
    return { mediaBytes: this.#mediaBytes, keptUp: Math.min(1, ...parts), videoSent: this.#videoSent };
  }

  /** Starts sending to each receiver, from a keyframe at its own position. */
  play(takers: readonly ((tag: FlvTag) => void)[]): void {
    const keyframes = this.#looped.flatMap((tag, index) => (findTagRole(tag) === 'keyframe' ? [index] : []));
    this.#startedAt = performance.now();
    this.#players = takers.map((take, taker) => {
      for (const tag of this.#once) take({ ...tag, timestampMs: 0 });
      const from = keyframes[taker % keyframes.length] ?? 0;
      // Spread evenly over the two seconds of a GOP.
      const delayMs = (2000 / takers.length) * taker;
      return { take, delayMs, next: from, sinceMs: this.#looped[from]?.timestampMs ?? 0, loops: 0, sentMs: 0 };
    });
    setInterval(() => {
      const now = performance.now() - this.#startedAt;
      for (const player of this.#players) {
        for (;;) {
          const tag = this.#looped[player.next];
          if (tag === undefined) break;
          const timestampMs = tag.timestampMs + player.loops * this.#loopMs - player.sinceMs;
          if (timestampMs + player.delayMs > now) break;
          player.take({ ...tag, timestampMs });
          if (player === this.#players[0] && tag.kind === 'video') {
            this.#videoSent.push([timestampMs, performance.timeOrigin + performance.now()]);
          }
          player.sentMs = timestampMs;
          this.#mediaBytes += tag.body.length;
          player.next += 1;
          if (player.next === this.#looped.length) {
            player.next = 0;
            player.loops += 1;
          }
        }
      }
    }, stepMs);
  }
}
