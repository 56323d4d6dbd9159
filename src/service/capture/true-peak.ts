/**
 * The filters that find the values between samples, at four times the sample rate: 12 factors for each of the four phases, the newest
 * sample's first (ITU-R BS.1770-4, Annex 2). The last two are the first two reversed.
 */
const first = [
  0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625, 0.97216796875,
  -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
];
const second = [
  -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625, -0.2003173828125,
  0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
];
const filters = [first, second, second.toReversed(), first.toReversed()].map((factors) => Float64Array.from(factors));
const taps = first.length;

/** A peak lies between the sample this many back and the one after it. */
export const truePeakDelay = taps / 2;

/** Finds the true peaks of one channel, between its samples as players rebuild them. */
export class TruePeak {
  readonly #aboveAll: number;
  /** The newest samples, twice: so a window never has to wrap. */
  readonly #samples = new Float64Array(taps * 2);
  #at = 0;
  /** How many more samples have a louder one in their window. */
  #loudFor = 0;

  /** @param ofInterest peaks below this level don't matter: there, only the samples themselves are measured */
  constructor(ofInterest: number) {
    // Between samples, the level is at most twice that of the samples, except in signals made to exceed it.
    this.#aboveAll = ofInterest / 2;
  }

  /** Takes the next sample; returns the highest level around the one {@link truePeakDelay} ago, 1 being full scale. */
  push(sample: number): number {
    // The newest is first: the window moves down.
    this.#at = (this.#at === 0 ? taps : this.#at) - 1;
    this.#samples[this.#at] = sample;
    this.#samples[this.#at + taps] = sample;
    this.#loudFor = Math.abs(sample) > this.#aboveAll ? taps : this.#loudFor - 1;
    let peak = Math.abs(this.#samples[this.#at + truePeakDelay] ?? 0);
    if (this.#loudFor <= 0) return peak;
    for (const factors of filters) {
      let between = 0;
      for (let tap = 0; tap < taps; tap += 1) between += (factors[tap] ?? 0) * (this.#samples[this.#at + tap] ?? 0);
      peak = Math.max(peak, Math.abs(between));
    }
    return peak;
  }
}
