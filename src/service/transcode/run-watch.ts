import type { LadderBounds } from './ladder-bounds.ts';
import { LagWatch } from './lag-watch.ts';
import type { TranscodeRun } from './transcode-run.ts';

/** The watched times of a run: where its media starts, which frame must be out by now, and which is out. */
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

  /** The last time with new output, by the clock of {@link check}; a run with a small lag counts as moving. */
  get movedAt(): number {
    return this.#movedAt;
  }

  /** Measures how the run keeps up. `stalled`: it takes media without output; `slow`: it is slower than real time. */
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
