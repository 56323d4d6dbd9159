import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { RecentTimes } from '../../shared/recent-times.ts';
import { EncoderFallback } from './encoder-fallback.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import { RunWatch, type WatchedRun } from './run-watch.ts';

/**
 * The step after a crash, always taken at the next keyframe: the same encoder again, x264 in place of hardware, or a rest of `restMs` after
 * `count` crashes within the window.
 */
export type AfterCrash = 'restart' | 'fall-back' | { restMs: number; count: number };

/** Watches the ffmpeg that is being fed, and decides what follows when it crashes or hangs. Holds no clock: it is fed times. */
export class LadderSupervisor {
  readonly #bounds: LadderBounds;
  readonly #fallback: EncoderFallback;
  /** The crashes of runs that were started: without an ffmpeg no hardware was asked. */
  readonly #startedCrashes: RecentTimes;
  #run: WatchedRun | undefined;
  #overlaps = false;
  #watch: RunWatch | undefined;
  /** The ladder has rested, and no run has worked since: one more crash is enough for the next rest. */
  #isAttempt = false;
  #restMs = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(encoder: EncoderName, bounds: LadderBounds) {
    this.#bounds = bounds;
    this.#fallback = new EncoderFallback(encoder, bounds.crashWindowMs);
    this.#startedCrashes = new RecentTimes(bounds.crashWindowMs);
  }

  /** The encoder of the next ffmpeg. */
  get encoder(): EncoderName {
    return this.#fallback.encoder;
  }

  /** Watches this run from now on, and no other. `overlaps`: another ffmpeg was still draining when it started. */
  watch(run: WatchedRun, now: number, { overlaps = false } = {}): void {
    if (this.#hasWorked) this.#isAttempt = false;
    this.#run = run;
    this.#overlaps = overlaps;
    this.#watch = new RunWatch(run, this.#bounds, now);
  }

  /** How the watched run keeps up; call it once a second. A `stalled` run counts as crashed. */
  check(now: number): ReturnType<RunWatch['check']> {
    if (this.#watch === undefined) return 'well';
    const pace = this.#watch.check(now);
    // Hardware that is too slow outputs some frames. Without any it hangs, and fewer renditions would not help.
    const isStill = now - this.#watch.movedAt >= this.#bounds.slowMs;
    const told = pace === 'slow' && this.#fallback.isHardware && isStill ? 'stalled' : pace;
    // A hang isn't a refusal.
    if (told === 'stalled') this.#overlaps = false;
    return told;
  }

  /** Counts a crash of the watched run, for this reason, and decides what follows. */
  decideAfterCrash(now: number, { code }: Pick<EncodeFailure, 'code'>): AfterCrash {
    const hasWorked = this.#hasWorked;
    const isAttempt = this.#isAttempt;
    this.#isAttempt = false;
    this.#run = undefined;
    this.#watch = undefined;
    const crashes = this.#fallback.countFailure(now);
    if (crashes >= this.#bounds.maxCrashes || (isAttempt && !hasWorked)) return { restMs: this.#rest(now), count: crashes };
    if (code === 'not-started') return 'restart';
    const isRepeated = this.#startedCrashes.add(now) > 1;
    // Hardware may fail, or refuse one more encoder, perhaps only because the run before was still draining. x264 needs no hardware.
    return (!(hasWorked || this.#overlaps) || isRepeated) && this.#fallback.replaceHardware() ? 'fall-back' : 'restart';
  }

  /** Whether the ladder rests at `now`. */
  isResting(now: number): boolean {
    return now < this.#restsUntilMs;
  }

  /** Whether the watched run has had output. */
  get #hasWorked(): boolean {
    return this.#run?.lastOutMs !== undefined;
  }

  /** Begins a rest at `now`, and returns its length. */
  #rest(now: number): number {
    const { restMs, maxRestMs } = this.#bounds;
    const isSoon = now - this.#restsUntilMs < maxRestMs;
    this.#restMs = isSoon ? Math.min(this.#restMs * 2, maxRestMs) : restMs;
    this.#restsUntilMs = now + this.#restMs;
    this.#isAttempt = true;
    return this.#restMs;
  }
}
