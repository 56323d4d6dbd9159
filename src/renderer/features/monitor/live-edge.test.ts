import { expect, test } from 'vitest';
import { choosePlaybackRate, measureAhead } from './live-edge.ts';

const away = (behindSeconds: number, aheadSeconds = 0.6) => ({ behindSeconds, aheadSeconds, partTargetSeconds: 0.2 });

test('a player behind its target catches up, then is left alone within a tolerance', () => {
  let rate = 1;
  const rates = [0.1, 0.16, 0.5, 0.3, 0.06, 0.05, 0.1, 0.15, -0.2].map((behindSeconds) => {
    rate = choosePlaybackRate(rate, away(behindSeconds));
    return rate;
  });
  expect(rates).toEqual([1, 1.08, 1.08, 1.08, 1.08, 1, 1, 1, 1]);
});

test('a player with at most one part buffered does not speed up', () => {
  expect([choosePlaybackRate(1, away(0.5, 0.2)), choosePlaybackRate(1.08, away(0.5, 0.2))]).toEqual([1, 1]);
  expect(choosePlaybackRate(1, away(0.5, 0.21))).toBe(1.08);
});

test('the time ahead is measured to the end of the buffer, and is zero past it', () => {
  const ranges = (...list: [number, number][]) => ({
    length: list.length,
    start: (index: number) => list[index]?.[0] ?? Number.NaN,
    end: (index: number) => list[index]?.[1] ?? Number.NaN,
  });
  const ahead = (currentTime: number, ...list: [number, number][]) => measureAhead({ buffered: ranges(...list), currentTime });
  expect([ahead(5), ahead(5, [4, 7]), ahead(5, [0, 5], [6, 8]), ahead(9, [4, 7])]).toEqual([0, 2, 3, 0]);
});
