import { expect, test } from 'vitest';
import { sampleRate } from './feed-format.ts';
import { Limiter } from './limiter.ts';

const ceiling = 10 ** (-2 / 20);
const delaySamples = 240;

/** The left channel of the output for this wave, in time with it. */
function limit(wave: (sample: number) => number, samples: number): number[] {
  const input = Float32Array.from({ length: (samples + delaySamples) * 2 }, (_, index) => wave(index >> 1));
  new Limiter().process(input);
  return [...input.filter((_, index) => index % 2 === 0)].slice(delaySamples);
}

test('what is below the ceiling comes out as it is', () => {
  const wave = (sample: number) => 0.75 * Math.sin((2 * Math.PI * 440 * sample) / sampleRate);
  for (const [index, sample] of limit(wave, 4_800).entries()) expect(sample).toBeCloseTo(wave(index), 6);
});

test('no peak is above the ceiling, and the gain is back within a quarter of a second', () => {
  // 10 ms at four times full scale in a quiet sound.
  const wave = (sample: number) => (sample >= 4_800 && sample < 5_280 ? 4 : 0.5);
  const limited = limit(wave, sampleRate);
  expect(Math.max(...limited)).toBeLessThanOrEqual(ceiling + 1e-6);
  expect(limited[4_000]).toBeCloseTo(0.5, 6);
  // Turned down just before the peak, in small steps.
  const steps = limited.slice(4_500, 4_800).map((sample, index, all) => (all[index + 1] ?? sample) - sample);
  expect(Math.min(...steps)).toBeGreaterThan(-0.01);
  expect(limited[5_280 + sampleRate / 4]).toBeGreaterThan(0.49);
});

test('a peak between samples is above the ceiling too', () => {
  // Each sample is 3 dB below the peak on either side of it.
  const wave = (sample: number) => 1.1 * Math.sin((Math.PI / 2) * sample + Math.PI / 4);
  const limited = limit(wave, 9_600).slice(4_800);
  const peak = Math.max(...limited) * Math.SQRT2;
  expect(peak).toBeLessThanOrEqual(ceiling * 1.005);
  expect(peak).toBeGreaterThan(ceiling * 0.98);
});
