import type { LadderBounds } from './ladder-bounds.ts';
import { LagWatch } from './lag-watch.ts';
import type { TranscodeRun } from './transcode-run.ts';

/** What is watched of a run: where its media starts, what must be out by now, and what is out. */
export type WatchedRun = Pick<TranscodeRun, 'startMs' | 'dueMs' | 'lastOutMs'>;

/** Watches how a run keeps up with its media. Holds no clock: it is fed times. */
export class RunWatch {
  readonly #run: WatchedRun;
  readonly #bounds: Pick<LadderBounds, 'slowMs' | 'maxLagMs' | 'stallMs'>;
  readonly #lag: LagWatch;
  /** The last time at which something new was out. */
  #movedAt: number;
  #movedToMs: number | undefined;

  constructor(run: WatchedRun, bounds: Pick<LadderBounds, 'slowMs' | 'maxLagMs' | 'stallMs'>, now: number) {
    this.#run = run;
    this.#bounds = bounds;
    this.#lag = new LagWatch(bounds);
    this.#movedAt = now;
  }

  /** Since when nothing new has come out, by the clock of {@link check}; while it lags by little, it counts as moving. */
  get movedAt(): number {
    return this.#movedAt;
  }

  /** Measures how it keeps up. `stalled`: it takes media and puts out none; `slow`: it is slower than real time. */
  check(now: number): 'well' | 'lagging' | 'slow' | 'stalled' {
    const { startMs, dueMs, lastOutMs } = this.#run;
    const { maxLagMs, stallMs } = this.#bounds;
    const outMs = lastOutMs ?? startMs;
    const lagMs = dueMs - outMs;
    if (lastOutMs !== this.#movedToMs || lagMs <= maxLagMs) {
      this.#movedAt = now;
      this.#movedToMs = lastOutMs;
    }
    if (now - this.#movedAt >= stallMs) return 'stalled';
    if (this.#lag.isSlow({ atMs: now, outMs, lagMs })) return 'slow';
    return lagMs <= maxLagMs ? 'well' : 'lagging';
  }
}
