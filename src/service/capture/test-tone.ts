import { sampleRate } from './feed-format.ts';

/** As loud as a quiet voice: −32 dBFS. */
const amplitude = 0.025 * 32_768;
const toneHz = 440;
/** The beep at the beginning of each second, to hear that it runs. */
const beepHz = 880;
const beepSamples = sampleRate / 25;

/** A tone of 440 Hz, with a beep an octave higher each second: 1 s of it, made to loop. */
const second = Float64Array.from({ length: sampleRate }, (_, sample) => {
  const wave = (hz: number) => Math.sin((2 * Math.PI * hz * sample) / sampleRate);
  return amplitude * (wave(toneHz) + (sample < beepSamples ? wave(beepHz) : 0));
});

/** The sound of the test picture. */
export class TestTone {
  #position = 0;

  take(target: Int16Array): number {
    for (let index = 0; index < target.length; index += 1) {
      target[index] = Math.round(second[(this.#position + (index >> 1)) % sampleRate] ?? 0);
    }
    this.#position = (this.#position + target.length / 2) % sampleRate;
    return target.length / 2;
  }
}
