/** This many in a row, at about the same interval, are no accident. */
const telling = 4;
/** How much the times between them may differ: a device that loses sound now and then does so at any time. */
const regularRatio = 1.5;
/** Without another one for this many times the last interval, it is over. */
const overAfter = 2;

/**
 * Detects a device clock that is further off ours than its sound can be stretched: the queue then runs dry, or has to be cut back,
 * again and again at the same interval. Times are in samples that were taken.
 */
export class ClockWatch {
  #takenSamples = 0;
  #kind: 'dry' | 'cut' | undefined;
  /** When it happened, oldest first. */
  #times: readonly number[] = [];

  /** This many more samples were due. */
  pass(samples: number): void {
    this.#takenSamples += samples;
  }

  /** The queue ran dry, or was cut back. Before anything is taken, that says nothing. */
  note(kind: 'dry' | 'cut'): void {
    if (this.#takenSamples === 0) return;
    this.#times = [...(kind === this.#kind ? this.#times : []), this.#takenSamples].slice(-telling);
    this.#kind = kind;
  }

  get isOff(): boolean {
    if (this.#times.length < telling) return false;
    const intervals = this.#times.slice(1).map((time, index) => time - (this.#times[index] ?? 0));
    const since = this.#takenSamples - (this.#times.at(-1) ?? 0);
    return Math.max(...intervals) <= Math.min(...intervals) * regularRatio && since <= (intervals.at(-1) ?? 0) * overAfter;
  }
}
