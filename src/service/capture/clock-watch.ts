/** So many in a row, about as far apart, are no accident. */
const telling = 4;
/** How much the times between them may differ: a device that loses sound now and then does so at any time. */
const regularRatio = 1.5;
/** Without another one for this many times the last interval, it is over. */
const overAfter = 2;

/**
 * Whether a device's clock is further off ours than its sound can be stretched: then what waits of it runs dry, or has to be cut back,
 * again and again in the same time. Times are in samples that were taken.
 */
export class ClockWatch {
  #takenSamples = 0;
  #kind: 'dry' | 'cut' | undefined;
  /** When it happened, oldest first. */
  #times: readonly number[] = [];

  /** So many samples more were due. */
  pass(samples: number): void {
    this.#takenSamples += samples;
  }

  /** What waits ran dry, or was cut back. */
  note(kind: 'dry' | 'cut'): void {
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
