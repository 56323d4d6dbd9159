import { isTimeJump } from './time-jump.ts';

/** The pace is measured over this many milliseconds of arrivals. */
const windowMs = 10_000;
/** The window is divided into this many spans, whose least lags are compared. */
const spans = 4;
const spanMs = windowMs / spans;
/** A smaller growth of lag is jitter of the encoder and the network. */
const minLagMs = 150;
/** After a larger change at once, of timestamps or of the delay, measuring begins again. */
const maxChangeMs = 5_000;
/** Encoders, and relays with a buffer, may send this much at once or catch up by this much when they start. */
const maxStartLeadMs = 10_000;
/** One entry per step, so that memory does not depend on the frame rate. */
const stepMs = 250;

/** How late media arrived, compared with its timestamps; only changes of it mean anything. */
interface Lag {
  atMs: number;
  lagMs: number;
}

/**
 * Measures how fast an encoder is, as a multiple of real time: 1 is real time, 0.7 makes 7 s of media in 10 s, and 3 sends 30 s of it.
 *
 * Delayed media arrives later in a burst, which does not mean a slow encoder. It does not change the smallest lag, so the
 * smallest lags of parts of the window are compared, each at least as long as a burst may be. Catching up isn't too fast either:
 * only a lead that keeps growing is. Reads no clock: arrival times in milliseconds are passed in.
 */
export class PaceMeter {
  readonly #lags: Lag[] = [];
  #lastTimestampMs: number | undefined;
  #startedAtMs = 0;
  /** The lag of the first frame of the timeline. */
  #startLagMs = 0;
  /** The least lag of the timeline before the window. */
  #leastLagMs = Number.POSITIVE_INFINITY;
  #pace = 1;

  /** Adds a frame with decode time `timestampMs` that arrived at `atMs`. */
  add(timestampMs: number, atMs: number): void {
    const lagMs = atMs - timestampMs;
    const last = this.#lags.at(-1);
    const lastTimestampMs = this.#lastTimestampMs;
    this.#lastTimestampMs = timestampMs;
    if (last && Math.abs(lagMs - last.lagMs) > maxChangeMs) this.#restart(isTimeJump(lastTimestampMs, timestampMs));
    else if (last && atMs - last.atMs < stepMs) {
      last.lagMs = Math.min(last.lagMs, lagMs);
      return;
    }
    if (this.#lags.length > 0) this.#pace = this.#measure();
    else this.#start(atMs, lagMs);
    this.#lags.push({ atMs, lagMs });
    this.#forget(atMs - windowMs);
  }

  /** Begins again. After a delay the timeline continues, so that catching up is not running away. */
  #restart(isNewTimeline: boolean): void {
    this.#forget(Number.POSITIVE_INFINITY);
    if (isNewTimeline) this.#leastLagMs = Number.POSITIVE_INFINITY;
  }

  /** Starts a window, and a timeline too if it has none. */
  #start(atMs: number, lagMs: number): void {
    this.#startedAtMs = atMs;
    if (this.#leastLagMs === Number.POSITIVE_INFINITY) this.#startLagMs = lagMs;
  }

  /** Forgets the lags of arrivals until then, except the least. */
  #forget(untilMs: number): void {
    for (let first = this.#lags[0]; first && first.atMs <= untilMs; first = this.#lags[0]) {
      this.#leastLagMs = Math.min(this.#leastLagMs, first.lagMs);
      this.#lags.shift();
    }
  }

  /** The pace. It is 1 until the window is full, and more only while the encoder runs away from real time. */
  get pace(): number {
    return this.#pace;
  }

  /** The pace at the newest entry, which is complete: it has the least lag of its step. */
  #measure(): number {
    const nowMs = this.#lags.at(-1)?.atMs ?? 0;
    if (nowMs - this.#startedAtMs < windowMs) return 1;
    const [first, second, third, last] = this.#findLeast(nowMs);
    if (first === undefined || second === undefined || third === undefined || last === undefined) return this.#pace;
    const grownMs = last.lagMs - first.lagMs;
    const pace = Math.max(1 - grownMs / (last.atMs - first.atMs), 0);
    if (grownMs < 0) return this.#runsAway(first, second, third, last) ? pace : 1;
    const halfMs = Math.min(third.lagMs, last.lagMs) - Math.min(first.lagMs, second.lagMs);
    // A single lasting delay grows only in one part of the window. After a slow pace, a delay isn't a single one.
    const isGrowing = this.#pace < 1 || (halfMs >= minLagMs && last.lagMs - third.lagMs > halfMs / 4);
    return grownMs < minLagMs || !isGrowing ? 1 : pace;
  }

  /** Whether it keeps getting further ahead than ever before, by more than an encoder may have held back at its start. */
  #runsAway(first: Lag, second: Lag, third: Lag, last: Lag): boolean {
    if (this.#startLagMs - last.lagMs <= maxStartLeadMs || this.#leastLagMs - last.lagMs <= minLagMs) return false;
    return isAhead(first, second) && isAhead(second, third) && isAhead(third, last);
  }

  /** The least lag of each span of the window before `nowMs`, the oldest first. */
  #findLeast(nowMs: number): (Lag | undefined)[] {
    const least = new Array<Lag | undefined>(spans).fill(undefined);
    for (const lag of this.#lags) {
      const span = spans - 1 - Math.floor((nowMs - lag.atMs) / spanMs);
      const known = least[span];
      if (known === undefined || lag.lagMs < known.lagMs) least[span] = lag;
    }
    return least;
  }
}

/** Whether media came earlier for its timestamps than the media before it, by more than jitter. */
function isAhead(before: Lag, after: Lag): boolean {
  return before.lagMs - after.lagMs > minLagMs;
}
