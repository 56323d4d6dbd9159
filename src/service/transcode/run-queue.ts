import { runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import type { RenditionListener } from './rendition-listener.ts';
import { type RunEnd, TranscodeRun, type TranscodeRunOptions } from './transcode-run.ts';

/** A run, and what waits until the run before it has given out everything. */
interface Place {
  run: TranscodeRun;
  waiting: (() => void)[];
  /** What comes after everything of the run. */
  after: (() => void)[];
  /** Profiles whose viewers do not wait for the rest of the run. */
  readonly left: Set<number>;
  ended: boolean;
}

/** What a run needs beside what its queue gives it; `profileIndexes` are those of its profiles in the ladder. */
export interface QueuedRunOptions extends Omit<TranscodeRunOptions, 'onUnit' | 'onBreak' | 'onEnd'> {
  profileIndexes: readonly number[];
  onEnd: (end: RunEnd) => void;
}

/**
 * Runs that overlap, each draining while the next has begun: the units of a later one are held back until the one before it has
 * ended, so that every rendition comes in order.
 */
export class RunQueue {
  readonly #listener: RenditionListener;
  #places: Place[] = [];

  constructor(listener: RenditionListener) {
    this.#listener = listener;
  }

  start({ profileIndexes, onEnd, ...options }: QueuedRunOptions): TranscodeRun {
    const { onUnit, onBreak, onRunStart, onRunEnd } = this.#listener;
    const { timeline, startMs } = options;
    const inOrder = (outputIndex: number, emit: (profileIndex: number) => void) => {
      const profileIndex = profileIndexes[outputIndex];
      if (profileIndex === undefined || place.left.has(profileIndex)) return;
      if (this.#places[0] === place) emit(profileIndex);
      else place.waiting.push(() => place.left.has(profileIndex) || emit(profileIndex));
    };
    const run = new TranscodeRun({
      ...options,
      onUnit: (outputIndex, unit) => inOrder(outputIndex, (profileIndex) => onUnit(profileIndex, unit)),
      onBreak: (outputIndex) => inOrder(outputIndex, onBreak),
      onEnd: (end) => {
        const isWhole = end.kind === 'drained';
        place.waiting.push(() => {
          for (const profileIndex of profileIndexes) if (!place.left.has(profileIndex)) onRunEnd(profileIndex, isWhole);
        });
        place.ended = true;
        this.#advance();
        onEnd(end);
      },
    });
    const place: Place = { run, waiting: [], after: [], left: new Set(), ended: false };
    this.#places.push(place);
    for (const profileIndex of profileIndexes) onRunStart(profileIndex, { timeline, startMs });
    return run;
  }

  /** Hands on a unit of every one of these profiles after everything that has been fed so far. */
  pass(profileIndexes: readonly number[], unit: PlacedUnit): void {
    this.#afterAll(profileIndexes, (profileIndex) => this.#listener.onUnit(profileIndex, unit));
  }

  /** These profiles are not made any more after everything that has been fed so far. */
  leave(profileIndexes: readonly number[]): void {
    this.#afterAll(profileIndexes, (profileIndex) => this.#listener.onLeave(profileIndex, { atOnce: false }));
  }

  /** These profiles are not made any more: what was fed for them and has not come out is given up. */
  leaveAtOnce(profileIndexes: readonly number[]): void {
    for (const { left } of this.#places) for (const profileIndex of profileIndexes) left.add(profileIndex);
    for (const profileIndex of profileIndexes) this.#listener.onLeave(profileIndex, { atOnce: true });
  }

  /**
   * Ends the input of every run; resolves when all of it has come out, or after `drainMs` without what had not. From when the
   * service closes, that is `closeMs`.
   */
  async drain({ drainMs, closeMs }: Pick<LadderBounds, 'drainMs' | 'closeMs'>, closing?: AbortSignal): Promise<void> {
    const hurry = () => runHarmlessly(() => this.#end(closeMs), 'ending the ffmpegs of a ladder');
    if (closing?.aborted) hurry();
    closing?.addEventListener('abort', hurry);
    await this.#end(drainMs);
    closing?.removeEventListener('abort', hurry);
  }

  /** Ends every run at once. */
  async kill(): Promise<void> {
    for (const { run } of this.#places) run.kill();
    await this.#end(0);
  }

  async #end(withinMs: number): Promise<void> {
    await Promise.all(this.#places.map(({ run }) => run.end(withinMs)));
  }

  #afterAll(profileIndexes: readonly number[], emit: (profileIndex: number) => void): void {
    const emitAll = () => profileIndexes.forEach(emit);
    const last = this.#places.at(-1);
    if (last === undefined) emitAll();
    else last.after.push(emitAll);
  }

  #advance(): void {
    while (this.#places[0]) {
      const [first] = this.#places;
      for (const emit of first.waiting.splice(0)) emit();
      if (!first.ended) return;
      for (const emit of first.after) emit();
      this.#places.shift();
    }
  }
}
