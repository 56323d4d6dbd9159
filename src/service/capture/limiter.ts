import { sampleRate } from './feed-format.ts';

/** Nothing gets louder than −1 dBFS: encoding to AAC adds a little. */
const ceiling = 10 ** (-1 / 20);
/** How far the limiter looks ahead, so that the gain is down when a peak arrives. */
const aheadSamples = Math.round(0.005 * sampleRate);
/** How much of the way back to full gain is left after each sample: most of it takes 0.1 s. */
const release = Math.exp(-1 / (0.05 * sampleRate));

/**
 * A limiter for stereo sound that looks 5 ms ahead. It only ever turns peaks down, both sides alike, never anything up.
 *
 * Its output is its input 5 ms later.
 */
export class Limiter {
  /** The newest 5 ms, both channels in turn. */
  readonly #ahead = new Float32Array(aheadSamples * 2);
  /** The gain that each of them needs. */
  readonly #needed = new Float32Array(aheadSamples).fill(1);
  #position = 0;
  #gain = 1;
  /** How much the gain falls with each sample, until the peak that asked for it. */
  #fall = 0;
  #target = 1;

  /** Limits these samples, both channels in turn, in place. */
  process(samples: Float32Array): void {
    for (let index = 0; index < samples.length; index += 2) {
      const left = samples[index] ?? 0;
      const right = samples[index + 1] ?? 0;
      const peak = Math.max(Math.abs(left), Math.abs(right));
      this.#look(peak > ceiling ? ceiling / peak : 1);
      const at = this.#position;
      // What is 5 ms old comes out; its own need is met whatever the slope was.
      const gain = Math.min(this.#gain, this.#needed[at] ?? 1);
      this.#gain = gain;
      samples[index] = (this.#ahead[at * 2] ?? 0) * gain;
      samples[index + 1] = (this.#ahead[at * 2 + 1] ?? 0) * gain;
      this.#ahead[at * 2] = left;
      this.#ahead[at * 2 + 1] = right;
      this.#needed[at] = this.#incoming;
      this.#position = (at + 1) % aheadSamples;
    }
  }

  #incoming = 1;

  /** Moves the gain by one sample, with a new one in sight. */
  #look(needed: number): void {
    this.#incoming = needed;
    if (needed < this.#target) {
      this.#target = needed;
      this.#fall = Math.max(this.#fall, (this.#gain - needed) / aheadSamples);
    }
    if (this.#gain > this.#target) {
      this.#gain = Math.max(this.#target, this.#gain - this.#fall);
      return;
    }
    this.#fall = 0;
    // The peak is out once the gain has been down for as long as we look ahead.
    this.#target = this.#largestNeed();
    if (this.#gain < this.#target) this.#gain = this.#target - (this.#target - this.#gain) * release;
  }

  /** The least gain that anything in sight needs. Looked for only while some of it needs less than full gain. */
  #largestNeed(): number {
    if (this.#gain === 1 && this.#incoming === 1) return 1;
    let least = this.#incoming;
    for (const needed of this.#needed) least = Math.min(least, needed);
    return least;
  }
}
