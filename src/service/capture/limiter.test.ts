import { expect, test } from 'vitest';
import { sampleRate } from './feed-format.ts';
import { Limiter } from './limiter.ts';

const ceiling = 10 ** (-1 / 20);
const delaySamples = 240;

/** The left side of what comes out for this wave, in time with it. */
function limit(wave: (sample: number) => number, samples: number): number[] {
  const input = Float32Array.from({ length: (samples + delaySamples) * 2 }, (_, index) => wave(index >> 1));
  new Limiter().process(input);
  return [...input.filter((_, index) => index % 2 === 0)].slice(delaySamples);
}

test('what is below the ceiling comes out as it is', () => {
  const wave = (sample: number) => 0.8 * Math.sin((2 * Math.PI * 440 * sample) / sampleRate);
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
