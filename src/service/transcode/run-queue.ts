import { HoldBack } from '../lib/hold-back.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { type RunOutput, TranscodeRun, type TranscodeRunOptions } from './transcode-run.ts';

/** A run, as the parts of a ladder need it. */
export type QueuedRun = Pick<
  TranscodeRun,
  'startMs' | 'hasStarted' | 'push' | 'end' | 'kill' | 'lastFedMs' | 'lastOutMs' | 'dueMs' | 'queuedBytes' | 'measureCost'
>;

/** Starts an ffmpeg; tests have none. */
export type StartRun = (options: TranscodeRunOptions) => QueuedRun;

/** A run's options, except for those that its queue adds. */
export interface QueuedRunOptions extends Omit<TranscodeRunOptions, 'outputs'> {
  renditions: readonly LadderRendition[];
}

/** How many ffmpegs of one ladder run at once: one is fed, one drains, and one more if the source changes again at once. */
const maxRuns = 3;

interface Entry {
  run: QueuedRun;
  /** The run's output: held back until every run before it has ended. */
  out: HoldBack<() => void>;
  /** Called after all output of the run. */
  after: (() => void)[];
  /** Renditions whose viewers do not wait for the rest of the run. */
  left: Set<LadderRendition>;
  ended: boolean;
}

/**
 * Runs that overlap: one drains while the next has started. A later run's output is held back until the one before it has ended, so
 * that every rendition comes in order.
 */
export class RunQueue {
  readonly #startRun: StartRun;
  #entries: Entry[] = [];

  constructor(startRun: StartRun = (options) => new TranscodeRun(options)) {
    this.#startRun = startRun;
  }

  start({ renditions, onEnd, ...options }: QueuedRunOptions): QueuedRun {
    const { timeline, startMs } = options;
    this.#killSurplus();
    const out = new HoldBack<() => void>((handOn) => handOn());
    const left = new Set<LadderRendition>();
    const run = this.#startRun({
      ...options,
      outputs: renditions.map((rendition) => createOutput(rendition, { out, left })),
      onEnd: (end) => {
        out.push(() => {
          for (const rendition of renditions) if (!left.has(rendition)) rendition.onRunEnd(end.kind === 'drained');
        });
        entry.ended = true;
        this.#advance();
        onEnd(end);
      },
    });
    const entry: Entry = { run, out, after: [], left, ended: false };
    this.#entries.push(entry);
    this.#advance();
    for (const rendition of renditions) rendition.onRunStart({ timeline, startMs });
    return run;
  }

  /** Whether an ffmpeg runs: one that is fed, or one that drains. */
  get isRunning(): boolean {
    return this.#entries.some(({ ended }) => !ended);
  }

  /** Passes a unit to each of these renditions, after everything that was fed so far. */
  pass(renditions: readonly LadderRendition[], unit: PlacedUnit): void {
    this.#afterAll(() => {
      for (const rendition of renditions) rendition.onUnit(unit);
    });
  }

  /** Ends these renditions, after everything that was fed so far. */
  leave(renditions: readonly LadderRendition[]): void {
    this.#afterAll(() => {
      for (const rendition of renditions) rendition.onLeave({ atOnce: false });
    });
  }

  /** Ends these renditions now: their fed media that isn't out yet is dropped. */
  leaveAtOnce(renditions: readonly LadderRendition[]): void {
    for (const { left } of this.#entries) for (const rendition of renditions) left.add(rendition);
    for (const rendition of renditions) rendition.onLeave({ atOnce: true });
  }

  /** Ends the input of every run; resolves when everything is out, or after `drainMs`. */
  async drain(drainMs: number): Promise<void> {
    await Promise.all(this.#entries.map(({ run }) => run.end(drainMs)));
  }

  /** Ends every run at once. */
  async kill(): Promise<void> {
    for (const { run } of this.#entries) run.kill();
    await this.drain(0);
  }

  /** Makes room for one more run: the missing output of the oldest runs becomes gaps. */
  #killSurplus(): void {
    const running = this.#entries.filter(({ ended }) => !ended);
    for (const { run } of running.slice(0, Math.max(0, running.length + 1 - maxRuns))) run.kill();
  }

  #afterAll(handOn: () => void): void {
    const last = this.#entries.at(-1);
    if (last === undefined) handOn();
    else last.after.push(handOn);
  }

  #advance(): void {
    while (this.#entries[0]) {
      const [first] = this.#entries;
      first.out.release();
      if (!first.ended) return;
      for (const handOn of first.after) handOn();
      this.#entries.shift();
    }
  }
}

/** Passes on a run's output for a rendition, in its turn, until the rendition is left. */
function createOutput(rendition: LadderRendition, { out, left }: Pick<Entry, 'out' | 'left'>): RunOutput {
  const inTurn = (handOn: () => void) => {
    if (!left.has(rendition)) out.push(() => left.has(rendition) || handOn());
  };
  return {
    profile: rendition.profile,
    onUnit: (unit) => inTurn(() => rendition.onUnit(unit)),
    onBreak: () => inTurn(() => rendition.onBreak()),
  };
}
