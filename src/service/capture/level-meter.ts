import type { ChannelLevel } from '../../shared/model/capture.ts';
import { sampleRate } from './feed-format.ts';

/** How much sound a reading covers. */
const windowSamples = sampleRate / 10;
/** The level reported for silence, in dBFS. */
export const silenceDb = -100;

const toDb = (amplitude: number) => Math.max(silenceDb, Math.round(200 * Math.log10(amplitude)) / 10);
const silence: ChannelLevel = { peakDb: silenceDb, rmsDb: silenceDb };

/** Measures peak and RMS of stereo sound, 0.1 s at a time. */
export class LevelMeter {
  #peaks: [number, number] = [0, 0];
  #squares: [number, number] = [0, 0];
  #count = 0;
  #levels: [ChannelLevel, ChannelLevel] = [silence, silence];

  /** Left and right, over the newest complete 0.1 s. */
  get levels(): [ChannelLevel, ChannelLevel] {
    return this.#levels;
  }

  /** Takes the next samples, both channels in turn, 1 being full scale. */
  push(samples: Float32Array): void {
    for (let index = 0; index < samples.length; index += 2) {
      for (const channel of [0, 1] as const) {
        const sample = Math.abs(samples[index + channel] ?? 0);
        if (sample > this.#peaks[channel]) this.#peaks[channel] = sample;
        this.#squares[channel] += sample * sample;
      }
      this.#count += 1;
      if (this.#count === windowSamples) this.#read();
    }
  }

  #read(): void {
    const level = (channel: 0 | 1): ChannelLevel => ({
      peakDb: toDb(this.#peaks[channel]),
      rmsDb: toDb(Math.sqrt(this.#squares[channel] / windowSamples)),
    });
    this.#levels = [level(0), level(1)];
    this.#peaks = [0, 0];
    this.#squares = [0, 0];
    this.#count = 0;
  }
}
