/** This many events in a row at about the same interval mean that the clock is off. */
const telling = 4;
/** How much the intervals may differ. A device that merely loses sound now and then does so irregularly. */
const regularRatio = 1.5;
/** The clock counts as fine again after this many times the last interval without another event. */
const overAfter = 2;

/**
 * Detects a device clock that differs from ours by more than stretching the sound can make up for: the queue then runs dry, or has to be
 * cut, at regular intervals. Times are counted in samples taken.
 */
export class ClockWatch {
  #takenSamples = 0;
  #kind: 'dry' | 'cut' | undefined;
  /** When the queue ran dry or was cut, oldest first. */
  #times: readonly number[] = [];

  /** This many more samples were due. */
  pass(samples: number): void {
    this.#takenSamples += samples;
  }

  /** The queue ran dry, or was cut. Ignored before the first samples are taken. */
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
