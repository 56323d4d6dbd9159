import type { LadderBounds } from './ladder-bounds.ts';
import { LagWatch } from './lag-watch.ts';
import type { TranscodeRun } from './transcode-run.ts';

/** Follows how a run keeps up with its media. Holds no clock: it is fed times. */
export class RunWatch {
  readonly #run: Pick<TranscodeRun, 'startMs' | 'dueMs' | 'lastOutMs'>;
  readonly #bounds: Pick<LadderBounds, 'slowMs' | 'maxLagMs' | 'stallMs'>;
  readonly #lag: LagWatch;
  /** The last time at which something new had come out. */
  #movedAt: number;
  #movedToMs: number | undefined;

  constructor(
    run: Pick<TranscodeRun, 'startMs' | 'dueMs' | 'lastOutMs'>,
    bounds: Pick<LadderBounds, 'slowMs' | 'maxLagMs' | 'stallMs'>,
    now: number,
  ) {
    this.#run = run;
    this.#bounds = bounds;
    this.#lag = new LagWatch(bounds);
    this.#movedAt = now;
  }

  /** Measures, and says how it is. `stalled`: it takes media and gives none; `slow`: it gives media more slowly than it comes. */
  check(now: number): 'well' | 'lagging' | 'slow' | 'stalled' {
    const { startMs, dueMs, lastOutMs } = this.#run;
    const { maxLagMs, stallMs } = this.#bounds;
    const lagMs = dueMs - (lastOutMs ?? startMs);
    if (lastOutMs !== this.#movedToMs || lagMs <= maxLagMs) {
      this.#movedAt = now;
      this.#movedToMs = lastOutMs;
    }
    if (now - this.#movedAt >= stallMs) return 'stalled';
    if (this.#lag.isSlow(now, lagMs)) return 'slow';
    return lagMs <= maxLagMs ? 'well' : 'lagging';
  }
}
