import type { SoundLevels } from '../../shared/model/capture.ts';
import type { SoundInput } from '../../shared/model/source.ts';
import { LevelMeter } from './level-meter.ts';
import { Limiter } from './limiter.ts';

/** Gives sound to a mix. */
export interface SoundTap {
  /** Takes the next samples into `target`, both channels in turn; returns how many, of both channels. The rest is silence. */
  take(target: Int16Array): number;
}

/** One input of a mix. */
export interface MixInput {
  tap: SoundTap;
  settings: SoundInput;
}

const fullScale = 32_768;

/** An input and its current gain. Gains change gradually over one block, so that nothing clicks. */
interface Channel extends MixInput {
  gain: number;
  meter: LevelMeter;
}

/** Mixes stereo sound in blocks, and measures each input. */
export class Mixer {
  #channels: Channel[] = [];
  #limiter: Limiter | undefined;

  /** Takes these inputs from now on. Inputs that stay glide from their old gain to the new one. */
  set(inputs: readonly MixInput[], limits: boolean): void {
    // A limiter that was switched off and on again would output stale sound.
    this.#limiter = limits ? (this.#limiter ?? new Limiter()) : undefined;
    this.#channels = inputs.map((input) => {
      const before = this.#channels.find(({ tap }) => tap === input.tap);
      return { gain: gainOf(input), meter: before?.meter ?? new LevelMeter(), ...input, ...(before && { gain: before.gain }) };
    });
  }

  /** The levels of each input at its gain in the mix: left and right. */
  get levels(): SoundLevels[] {
    return this.#channels.map(({ settings: { of }, meter }) => ({ of, levels: meter.levels }));
  }

  /** The next samples of the mix: s16, little-endian, both channels in turn. */
  mix(samples: number): Buffer {
    const mix = new Float32Array(samples * 2);
    const taken = new Int16Array(samples * 2);
    for (const channel of this.#channels) {
      const filled = channel.tap.take(taken) * 2;
      taken.fill(0, filled);
      add(taken, channel, mix);
    }
    this.#limiter?.process(mix);
    for (let index = 0; index < mix.length; index += 1) {
      taken[index] = Math.max(-fullScale, Math.min(fullScale - 1, Math.round((mix[index] ?? 0) * fullScale)));
    }
    // Every system that we run on is little-endian.
    return Buffer.from(taken.buffer);
  }
}

function gainOf({ settings: { levelDb, isMuted } }: MixInput): number {
  return isMuted ? 0 : 10 ** (levelDb / 20);
}

/** Adds an input to the mix, at its level. */
function add(samples: Int16Array, channel: Channel, mix: Float32Array): void {
  const wanted = gainOf(channel);
  const step = (wanted - channel.gain) / (samples.length / 2);
  const own = new Float32Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const gain = channel.gain + step * (index >> 1);
    own[index] = ((samples[index] ?? 0) / fullScale) * gain;
    mix[index] = (mix[index] ?? 0) + (own[index] ?? 0);
  }
  channel.gain = wanted;
  channel.meter.push(own);
}
