import { sampleRate } from './feed-format.ts';
import { TruePeak, truePeakDelay } from './true-peak.ts';

/**
 * No true peak gets louder than −2 dBTP: encoding dense sound to AAC adds 1 dB, and 2 to white noise.
 *
 * Measured with ffmpeg's AAC at 160 kbit/s, 20 s each: loud speech comes out at −1.6 dBTP, pink noise at −0.9, white noise at 0.9.
 * With −1 dBTP, pink noise came out at 0.2 and drums at 0.6.
 */
const ceiling = 10 ** (-2 / 20);
/** How far the limiter looks ahead, so that the gain is down when a peak arrives. */
const aheadSamples = Math.round(0.005 * sampleRate);
/** How much of the look-ahead is left when a peak is found. */
const fallSamples = aheadSamples - truePeakDelay;
/** The share of the gain reduction that remains after each sample; most of it is gone after 0.1 s. */
const release = Math.exp(-1 / (0.05 * sampleRate));

/**
 * A limiter for stereo sound that looks 5 ms ahead. It only turns true peaks down, both channels alike, and never turns anything up.
 *
 * Its output is its input 5 ms later.
 */
export class Limiter {
  readonly #left = new TruePeak(ceiling);
  readonly #right = new TruePeak(ceiling);
  /** The newest 5 ms, both channels in turn. */
  readonly #ahead = new Float32Array(aheadSamples * 2);
  /** The gain that each of them needs. */
  readonly #needed = new Float64Array(aheadSamples).fill(1);
  #position = 0;
  #gain = 1;
  /** How much the gain falls per sample until the peak that needs it. */
  #fall = 0;
  /** The lowest gain that any sample within the look-ahead needs; stale once that sample is out. */
  #target = 1;
  #isTargetOld = false;

  /** Limits these samples, both channels in turn, in place. */
  process(samples: Float32Array): void {
    for (let index = 0; index < samples.length; index += 2) {
      const left = samples[index] ?? 0;
      const right = samples[index + 1] ?? 0;
      const peak = Math.max(this.#left.push(left), this.#right.push(right));
      const needed = peak > ceiling ? ceiling / peak : 1;
      const at = this.#position;
      // The sample from 5 ms ago comes out with at most the gain that its peak allows, even if the slope hasn't reached that yet.
      const ownNeed = this.#needed[at] ?? 1;
      this.#needed[at] = 1;
      this.#note(at - truePeakDelay, needed);
      this.#note(at - truePeakDelay + 1, needed);
      if (ownNeed < 1 && ownNeed <= this.#target) this.#isTargetOld = true;
      this.#look(needed);
      const gain = Math.min(this.#gain, ownNeed);
      this.#gain = gain;
      samples[index] = (this.#ahead[at * 2] ?? 0) * gain;
      samples[index + 1] = (this.#ahead[at * 2 + 1] ?? 0) * gain;
      this.#ahead[at * 2] = left;
      this.#ahead[at * 2 + 1] = right;
      this.#position = (at + 1) % aheadSamples;
    }
  }

  /** A sample within the look-ahead needs this gain. */
  #note(at: number, needed: number): void {
    const index = (at + aheadSamples) % aheadSamples;
    if (needed < (this.#needed[index] ?? 1)) this.#needed[index] = needed;
  }

  /** Moves the gain by one sample, now that the newest one needs `needed`. */
  #look(needed: number): void {
    if (needed < this.#target) {
      this.#target = needed;
      this.#fall = Math.max(this.#fall, (this.#gain - needed) / fallSamples);
    }
    if (this.#gain > this.#target) {
      this.#gain = Math.max(this.#target, this.#gain - this.#fall);
      return;
    }
    this.#fall = 0;
    // The peak has passed once the gain has been down for as long as the look-ahead.
    if (this.#isTargetOld) this.#target = this.#needed.reduce((least, each) => Math.min(least, each), 1);
    this.#isTargetOld = false;
    if (this.#gain < this.#target) this.#gain = this.#target - (this.#target - this.#gain) * release;
  }
}
