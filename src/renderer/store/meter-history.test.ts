import { expect, test } from 'vitest';
import { createMeterHistory, historySeconds } from './meter-history.ts';

const start = 1_800_000_000;
const tail = (values: readonly unknown[], count: number) => values.slice(-count);

test('it reads five minutes, oldest first, ending now', () => {
  const { seconds, bitratesBps } = createMeterHistory().read(start * 1000 + 500);
  expect([seconds.length, seconds[0], seconds.at(-1)]).toEqual([historySeconds, start - historySeconds + 1, start]);
  expect(new Set(bitratesBps)).toEqual(new Set([null]));
});

test('it tells when it began, until five minutes are covered', () => {
  const history = createMeterHistory();
  const beganAt = (afterSeconds: number) => history.read((start + afterSeconds) * 1000).beganAt;
  expect(beganAt(0)).toBeUndefined();
  history.note(start * 1000 + 400, undefined);
  history.note((start + 1) * 1000, 3_000_000);
  expect([beganAt(1), beganAt(historySeconds - 2), beganAt(historySeconds - 1)]).toEqual([start, start, undefined]);
});

test('after the clock was set back, it began then', () => {
  const history = createMeterHistory();
  history.note(start * 1000, 3_000_000);
  const setBack = start - 3_300;
  history.note(setBack * 1000, 2_500_000);
  history.note((setBack + 1) * 1000, 2_500_000);
  expect(history.read((setBack + 1) * 1000).beganAt).toBe(setBack);
});

test('an unknown value is a gap, and so is more than two seconds of silence', () => {
  const history = createMeterHistory();
  history.note(start * 1000, 3_000_000);
  history.note((start + 1) * 1000, undefined);
  history.note((start + 2) * 1000, 2_500_000);
  expect(tail(history.read((start + 6) * 1000).bitratesBps, 8)).toEqual([
    null,
    3_000_000,
    null,
    2_500_000,
    2_500_000,
    2_500_000,
    null,
    null,
  ]);
});

test('what is older than five minutes is forgotten, without growing', () => {
  const history = createMeterHistory();
  for (let second = 0; second < 2 * historySeconds; second += 1) history.note((start + second) * 1000, second);
  const { bitratesBps } = history.read((start + 2 * historySeconds - 1) * 1000);
  expect([bitratesBps.length, bitratesBps[0], bitratesBps.at(-1)]).toEqual([
    historySeconds,
    historySeconds,
    2 * historySeconds - 1,
  ]);
});
