import type { PauseSums } from './health-facts.ts';

/** Viewers with low latency have less than this buffered, so a longer pause freezes their picture. */
export const seenMs = 1_000;
/** A pause counts for this long after its end. */
const recentMs = 60_000;
/** Players catch up with next to none of a delay within this time. Bursts of a sender come less than this apart. */
const burstMs = 2_000;
/** A wait of at least this long is one between bursts. */
const waitMs = 500;

/** A pause that has ended. `isLoss`: its publisher was lost, and replaced by another. */
interface Pause {
  atMs: number;
  lastedMs: number;
  isLoss: boolean;
}

/**
 * Finds the pauses of a broadcast's media that viewers with low latency see as a frozen picture, including those while its
 * publisher was gone.
 *
 * After a pause, players stay behind by its length, so another pause right after it freezes nothing, unless it is longer: both
 * count as one pause, as long as the longer one. A sender that sends a second or two of media at a time therefore pauses once,
 * when it begins. Reads no clock: times are milliseconds of a monotonic clock.
 */
export class ArrivalPauses {
  #lastAt: number | undefined;
  #steadySince: number | undefined;
  #longestGapMs = seenMs;
  #isLoss = false;
  #ended: readonly Pause[] = [];
  /** Until when players stay behind by the length of the last pause, if nothing but bursts comes. */
  #behindUntil = Number.NEGATIVE_INFINITY;

  /**
   * Adds an arrival of media.
   *
   * @param fps of the video, if known: a slide show has no pauses, only few frames
   */
  add(now: number, fps: number | undefined): void {
    const isPause = this.#pausedMs(now) > 0;
    const isBetweenBursts = this.#isBehind && now - (this.#lastAt ?? now) >= waitMs;
    if (isPause) this.#ended = this.#until(now);
    // The media that a lost publisher missed never comes, so players don't stay behind.
    if ((isPause && !this.#isLoss) || isBetweenBursts) this.#behindUntil = now + burstMs;
    this.#isLoss = false;
    this.#steadySince = this.steadySince(now) ?? now;
    this.#lastAt = now;
    this.#longestGapMs = fps === undefined ? seenMs : Math.max(seenMs, 2_000 / fps);
  }

  /** Another publisher begins: players must adapt to it, so media isn't steady, even without a pause. */
  changePublisher(): void {
    this.#steadySince = undefined;
    this.#isLoss = true;
    this.#behindUntil = Number.NEGATIVE_INFINITY;
  }

  /** The broadcast is on air from now on: viewers had nothing of it before. */
  begin(): void {
    this.#ended = [];
  }

  /** The computer slept until now, which has its own verdict: only what comes from now on can be a pause. */
  noteSleep(now: number): void {
    if (this.#lastAt !== undefined) this.#lastAt = now;
    this.#steadySince = undefined;
    this.#ended = [];
    this.#behindUntil = Number.NEGATIVE_INFINITY;
  }

  /** Since when media arrives without a pause; undefined during a pause, and before the first arrival. */
  steadySince(now: number): number | undefined {
    return this.#pausedMs(now) > 0 ? undefined : this.#steadySince;
  }

  /** The pauses of the last minute, including the current one. A single loss of the publisher has its own verdict and isn't counted. */
  recent(now: number): PauseSums {
    const all = this.#until(now);
    const counted = all.filter(({ isLoss }) => isLoss).length > 1 ? all : all.filter(({ isLoss }) => !isLoss);
    // Count only the part within the last minute.
    const lastedMs = counted.map(({ atMs, lastedMs }) => Math.min(lastedMs, recentMs - (now - atMs)));
    const areLosses = counted.length > 0 && counted.every(({ isLoss }) => isLoss) && { areLosses: true as const };
    return { count: counted.length, seconds: lastedMs.reduce((sum, ms) => sum + ms, 0) / 1000, ...areLosses };
  }

  /** The pauses of the last minute, oldest first, as if the current one ended now. */
  #until(now: number): Pause[] {
    const ended = this.#ended.filter(({ atMs }) => now - atMs < recentMs);
    const pause: Pause = { atMs: now, lastedMs: this.#pausedMs(now), isLoss: this.#isLoss };
    if (pause.lastedMs === 0) return ended;
    const before = ended.at(-1);
    if (before === undefined || !this.#isBehind) return [...ended, pause];
    return [...ended.slice(0, -1), { ...pause, lastedMs: Math.max(before.lastedMs, pause.lastedMs) }];
  }

  /** Whether players were still behind when media last came. */
  get #isBehind(): boolean {
    return this.#lastAt !== undefined && this.#lastAt < this.#behindUntil;
  }

  #pausedMs(now: number): number {
    const sinceMs = now - (this.#lastAt ?? now);
    return sinceMs > this.#longestGapMs ? sinceMs : 0;
  }
}
