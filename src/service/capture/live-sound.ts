import type { CaptureFault } from '../../shared/model/capture.ts';
import { ClockWatch } from './clock-watch.ts';
import { sampleRate } from './feed-format.ts';
import { SoundQueue } from './sound-queue.ts';

/** The least sound that has to wait before any is taken, since devices deliver it in pieces. */
const primedSamples = sampleRate * 0.04;
/** A longer queue makes the sound late, so it is cut. */
const lateSamples = sampleRate * 0.25;
/** The range for the queue's shortest length: below it the queue runs dry, above it only adds latency. */
const leastLeft = { min: sampleRate * 0.01, max: sampleRate * 0.04 };
/** The shortest length is measured over this much sound. */
const lookSamples = sampleRate * 2;
/** A device's clock doesn't run at our pace. Playing this much faster or slower makes up for it, inaudibly. */
const stretch = 0.001;
/** A queue that a burst has left longer than this makes the sound later than its picture, so it is played faster still: 9 cents higher. */
const burstSamples = sampleRate * 0.06;
const catchUp = 0.005;

/** The sound of a device or a page, which has a clock of its own. */
export class LiveSound {
  readonly settled: Promise<void>;
  #settle = () => {};
  readonly #queue = new SoundQueue();
  readonly #clock = new ClockWatch();
  readonly #onClose: () => Promise<void>;
  #isClosed = false;
  #isPrimed = false;
  /** How much has to wait before any is taken: one frame's sound, and the reserve that should be left. */
  #neededSamples = primedSamples;
  #fault: CaptureFault | undefined;
  #looked = 0;
  #least = Number.POSITIVE_INFINITY;
  /** How much faster it plays than it arrives; slower if negative. */
  #correction = 0;

  constructor(onClose: () => Promise<void>) {
    this.#onClose = onClose;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get fault(): CaptureFault | undefined {
    return this.#fault ?? (this.#clock.isOff ? { code: 'off-clock' } : undefined);
  }

  push(bytes: Buffer): void {
    this.#fault = undefined;
    this.#queue.push(bytes);
    if (this.#queue.length > lateSamples) {
      this.#queue.shorten(this.#neededSamples);
      this.#clock.note('cut');
    }
    this.#settle();
  }

  lose(fault: CaptureFault): void {
    this.#fault = fault;
    this.#settle();
  }

  /** The sound is back, though it may still be silent. */
  regain(): void {
    this.#fault = undefined;
  }

  /** Takes the next samples, both channels in turn; returns how many, of both channels. */
  take(target: Int16Array): number {
    const wanted = target.length / 2;
    this.#clock.pass(wanted);
    this.#neededSamples = Math.max(primedSamples, wanted + leastLeft.min);
    if (!this.#isPrimed) {
      if (this.#queue.length < this.#neededSamples) return 0;
      this.#isPrimed = true;
      // Sound that arrived during a long frame would make it late, and it would then play faster to catch up.
      this.#queue.shorten(wanted + leastLeft.max);
    }
    const samples = wanted + Math.round(wanted * this.#correction);
    const source = samples === wanted ? target : new Int16Array(samples * 2);
    const taken = this.#queue.take(source);
    if (taken < samples) {
      this.#isPrimed = false;
      this.#clock.note('dry');
      target.set(source.subarray(0, Math.min(source.length, target.length)));
      return Math.min(taken, wanted);
    }
    if (source !== target) resample(source, target);
    this.#look(wanted);
    return wanted;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#settle();
    await this.#onClose();
  }

  #look(samples: number): void {
    this.#least = Math.min(this.#least, this.#queue.length);
    this.#looked += samples;
    if (this.#looked < lookSamples) return;
    this.#correction = correct(this.#least);
    this.#looked = 0;
    this.#least = Number.POSITIVE_INFINITY;
  }
}

/** How much faster to play if at least this many samples wait; slower if negative. */
function correct(least: number): number {
  if (least > burstSamples) return catchUp;
  if (least > leastLeft.max) return stretch;
  return least < leastLeft.min ? -stretch : 0;
}

/** Stretches stereo samples by linear interpolation. The first and the last stay. */
function resample(source: Int16Array, target: Int16Array): void {
  const [from, to] = [source.length / 2 - 1, target.length / 2 - 1];
  for (let index = 0; index <= to; index += 1) {
    const position = (index * from) / to;
    const before = Math.floor(position);
    const share = position - before;
    for (const channel of [0, 1]) {
      const first = source[before * 2 + channel] ?? 0;
      const second = source[Math.min(before + 1, from) * 2 + channel] ?? 0;
      target[index * 2 + channel] = Math.round(first + (second - first) * share);
    }
  }
}
