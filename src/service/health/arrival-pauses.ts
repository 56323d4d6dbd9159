import type { PauseSums } from './health-facts.ts';

/** Viewers of low latency have less than this in hand, so a longer pause freezes their picture. */
export const seenMs = 1_000;
/** A pause counts for this long after its end. */
const recentMs = 60_000;

/** A pause that has ended. `isLoss`: its publisher was lost, and replaced by another. */
interface Pause {
  atMs: number;
  lastedMs: number;
  isLoss: boolean;
}

/**
 * Finds the pauses of a broadcast's media that viewers of low latency see as a frozen picture, those in which its publisher was gone too.
 * Reads no clock: times are milliseconds of a monotonic clock.
 */
export class ArrivalPauses {
  #lastAt: number | undefined;
  #steadySince: number | undefined;
  #longestGapMs = seenMs;
  #isLoss = false;
  #ended: readonly Pause[] = [];

  /**
   * Adds an arrival of media.
   *
   * @param fps of the video, if known: a slide show has no pauses, only few frames
   */
  add(now: number, fps: number | undefined): void {
    const pausedMs = this.#pausedMs(now);
    if (pausedMs > 0) this.#ended = [...this.#recent(now), { atMs: now, lastedMs: pausedMs, isLoss: this.#isLoss }];
    this.#isLoss = false;
    this.#steadySince = this.steadySince(now) ?? now;
    this.#lastAt = now;
    this.#longestGapMs = fps === undefined ? seenMs : Math.max(seenMs, 2_000 / fps);
  }

  /** Another publisher begins: players must adapt to it, even without a pause. */
  changePublisher(): void {
    this.#steadySince = undefined;
    this.#isLoss = true;
  }

  /** The broadcast is on air from now on: viewers had nothing of it before. */
  begin(): void {
    this.#ended = [];
  }

  /** Since when media arrives without a pause; undefined in one, and before the first arrival. */
  steadySince(now: number): number | undefined {
    return this.#pausedMs(now) > 0 ? undefined : this.#steadySince;
  }

  /** The pauses of the last minute, including the current one. A single loss of the publisher has its own verdict and isn't counted. */
  recent(now: number): PauseSums {
    const all = this.#recent(now);
    const counted = all.filter(({ isLoss }) => isLoss).length > 1 ? all : all.filter(({ isLoss }) => !isLoss);
    // Only what of them was within the minute.
    const ended = counted.map(({ atMs, lastedMs }) => Math.min(lastedMs, recentMs - (now - atMs)));
    const lastedMs = [...ended, Math.min(this.#pausedMs(now), recentMs)].filter((ms) => ms > 0);
    return { count: lastedMs.length, seconds: lastedMs.reduce((sum, ms) => sum + ms, 0) / 1000 };
  }

  #recent(now: number): Pause[] {
    return this.#ended.filter(({ atMs }) => now - atMs < recentMs);
  }

  #pausedMs(now: number): number {
    const sinceMs = now - (this.#lastAt ?? now);
    return sinceMs > this.#longestGapMs ? sinceMs : 0;
  }
}
