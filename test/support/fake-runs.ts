import type { PlacedUnit } from '../../src/service/media/media-unit.ts';
import type { LadderRendition } from '../../src/service/transcode/ladder-rendition.ts';
import type { QueuedRun } from '../../src/service/transcode/run-queue.ts';
import type { RunEnd, TranscodeRunOptions } from '../../src/service/transcode/transcode-run.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { describeUnit } from './describe-unit.ts';
import { createRendition } from './ladder-rendition.ts';

/** A run without ffmpeg: it records its input, and outputs the units that the test gives it. */
export class FakeRun implements QueuedRun {
  readonly options: TranscodeRunOptions;
  readonly fed: string[] = [];
  readonly startMs: number;
  readonly hasStarted: boolean;
  lastFedMs: number;
  dueMs: number;
  lastOutMs: number | undefined;
  queuedBytes = 0;
  /** How it was ended: gracefully within so many milliseconds, or killed. */
  readonly told: (number | 'kill')[] = [];
  readonly #ended = Promise.withResolvers<void>();

  constructor(options: TranscodeRunOptions, hasStarted: boolean) {
    this.options = options;
    this.hasStarted = hasStarted;
    this.startMs = options.startMs;
    this.lastFedMs = options.startMs;
    this.dueMs = options.startMs;
  }

  push(unit: PlacedUnit): void {
    this.fed.push(describeUnit(unit));
    if (unit.type !== 'video') return;
    this.lastFedMs = unit.pts;
    this.dueMs = unit.pts;
  }

  end(withinMs: number): Promise<void> {
    this.told.push(withinMs);
    return this.#ended.promise;
  }

  kill(): void {
    this.told.push('kill');
    queueMicrotask(() => this.finish({ kind: 'killed' }));
  }

  measureCost(): number {
    return 1;
  }

  /** Outputs one unit of every rendition. */
  putOut(unit: PlacedUnit): void {
    if (unit.type === 'video') this.lastOutMs = unit.pts;
    for (const { onUnit } of this.options.outputs) onUnit(unit);
  }

  finish(end: RunEnd): void {
    this.options.onEnd(end);
    this.#ended.resolve();
  }
}

/** Starts runs without ffmpeg, and records them. `hasStarted`: false where the system can't start their ffmpeg. */
export function createFakeRuns({ hasStarted = true } = {}) {
  const runs: FakeRun[] = [];
  const startRun = (options: TranscodeRunOptions) => {
    const run = new FakeRun(options, hasStarted);
    runs.push(run);
    return run;
  };
  return { runs, startRun };
}

/** Renditions of these profiles, and the units that each receives, one line per unit. */
export function createHeardRenditions(profiles: readonly Profile[]) {
  const heard: string[] = [];
  const renditions = profiles.map((profile): LadderRendition => {
    const hear = (what: string) => heard.push(`${profile.name} ${what}`);
    return createRendition(profile, {
      onUnit: (unit) => hear(describeUnit(unit)),
      onBreak: () => hear('break'),
      onRunStart: ({ timeline, startMs }) => hear(`start ${timeline} ${startMs}`),
      onRunEnd: (isWhole) => hear(isWhole ? 'end' : 'end not whole'),
      onLeave: ({ atOnce }) => hear(atOnce ? 'leave at once' : 'leave'),
    });
  });
  return { heard, renditions };
}
