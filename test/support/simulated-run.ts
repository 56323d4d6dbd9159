import type { PlacedUnit } from '../../src/service/media/media-unit.ts';
import type { QueuedRun } from '../../src/service/transcode/run-queue.ts';
import type { RunEnd, TranscodeRunOptions } from '../../src/service/transcode/transcode-run.ts';

/** How an encoder works. Times in milliseconds. */
export interface SimulatedWork {
  /** How long a frame takes from input to output. */
  latencyMs: number;
  /** How long after each frame the next may come out: 0 for as fast as they come, infinity for never. */
  frameMs: number;
  /** It crashes this long after its start. */
  crashAfterMs?: number | undefined;
}

/** A run without ffmpeg, on a simulated clock: each rendition is its source, unchanged but late. */
export class SimulatedRun implements QueuedRun {
  readonly startMs: number;
  readonly hasStarted = true;
  readonly queuedBytes = 0;
  lastFedMs: number;
  dueMs: number;
  lastOutMs: number | undefined;
  work: SimulatedWork;
  readonly #options: TranscodeRunOptions;
  readonly #clock: { nowMs: number };
  readonly #startedAtMs: number;
  readonly #ended = Promise.withResolvers<void>();
  #held: { unit: PlacedUnit; atMs: number }[] = [];
  #nextFrameAtMs = 0;
  #state: 'running' | 'ending' | 'ended' = 'running';

  constructor(options: TranscodeRunOptions, work: SimulatedWork, clock: { nowMs: number }) {
    const { startMs } = options;
    this.#options = options;
    this.work = work;
    this.#clock = clock;
    this.#startedAtMs = clock.nowMs;
    this.startMs = startMs;
    this.lastFedMs = startMs;
    this.dueMs = startMs;
  }

  get isRunning(): boolean {
    return this.#state !== 'ended';
  }

  push(unit: PlacedUnit): void {
    this.#held.push({ unit, atMs: this.#clock.nowMs + this.work.latencyMs });
    if (unit.type !== 'video') return;
    this.dueMs = this.lastFedMs;
    this.lastFedMs = unit.pts;
  }

  async end(withinMs: number): Promise<void> {
    if (this.isRunning) this.#state = 'ending';
    const late = setTimeout(() => this.kill(), withinMs);
    await this.#ended.promise;
    clearTimeout(late);
  }

  kill(): void {
    queueMicrotask(() => this.#breakOff({ kind: 'killed' }));
  }

  crash(): void {
    this.#breakOff({ kind: 'failed', failure: { code: 'exited', exitCode: 1 }, stderr: [] });
  }

  measureCost(): undefined {
    return undefined;
  }

  /** Does what is due by now. */
  step(): void {
    const { nowMs } = this.#clock;
    if (this.isRunning && nowMs - this.#startedAtMs >= (this.work.crashAfterMs ?? Number.POSITIVE_INFINITY)) this.crash();
    for (let [next] = this.#held; this.isRunning && next && next.atMs <= nowMs; [next] = this.#held) {
      if (next.unit.type === 'video' && nowMs < this.#nextFrameAtMs) return;
      this.#held.shift();
      this.#putOut(next.unit);
    }
    if (this.#state === 'ending' && this.#held.length === 0) this.#finish({ kind: 'drained' });
  }

  #putOut(unit: PlacedUnit): void {
    const { outputs, video, timeline } = this.#options;
    const isFirst = unit.type === 'video' && this.lastOutMs === undefined;
    const { timescale, dts } = unit;
    for (const { onUnit } of outputs) {
      if (isFirst) onUnit({ type: 'config', timeline, timescale, dts, config: video });
      onUnit(unit);
    }
    if (unit.type !== 'video') return;
    this.lastOutMs = unit.pts;
    this.#nextFrameAtMs = this.#clock.nowMs + this.work.frameMs;
  }

  #breakOff(end: RunEnd): void {
    if (!this.isRunning) return;
    for (const { onBreak } of this.#options.outputs) onBreak();
    this.#finish(end);
  }

  #finish(end: RunEnd): void {
    this.#state = 'ended';
    this.#options.onEnd(end);
    this.#ended.resolve();
  }
}
