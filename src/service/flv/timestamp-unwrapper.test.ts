import { expect, test } from 'vitest';
import { TimestampUnwrapper } from './timestamp-unwrapper.ts';

test.each([
  ['32 bits', 32, 2 ** 32],
  ['31 bits, as ffmpeg writes them, where 32 are expected', 32, 2 ** 31],
  ['31 bits', 31, 2 ** 31],
] as const)('times continue when timestamps of %s wrap, twice, and late media keeps its place', (_what, bits, wrapMs) => {
  const unwrapper = new TimestampUnwrapper(bits);
  const wrong: number[] = [];
  for (let timeMs = 20_000; timeMs < 2.1 * wrapMs; timeMs += 20_000) {
    for (const ms of [timeMs, timeMs - 5_000]) if (unwrapper.unwrap(ms % wrapMs) !== ms) wrong.push(ms);
  }
  expect(wrong).toEqual([]);
});

test('a clock that is set back by days goes back', () => {
  const unwrapper = new TimestampUnwrapper();
  const days = (count: number) => count * 86_400_000;
  expect([days(20), days(1), days(21), 0].map((ms) => unwrapper.unwrap(ms))).toEqual([days(20), days(1), days(21), 0]);
});
