import { expect, test } from 'vitest';
import { type Transfer, TransferWatch } from './transfer-watch.ts';

const part = (first: number, end: number): Transfer => ({ duration: 0.3, stats: { loading: { first, end } } });
const load = (watch: TransferWatch, first: number, end: number) => {
  const transfer = part(first, end);
  watch.begin(transfer);
  watch.end(transfer);
};

test('nothing loaded is not slow, nor is a part the service holds back', () => {
  const watch = new TransferWatch();
  expect(watch.isSlow(0)).toBe(false);
  watch.begin(part(0, 0));
  expect(watch.isSlow(60_000)).toBe(false);
});

test('parts that load longer than they play are slow', () => {
  const watch = new TransferWatch();
  for (const first of [1_000, 1_400, 1_800]) load(watch, first, first + 310);
  expect(watch.isSlow(3_000)).toBe(true);
  for (const first of [3_000, 3_400, 3_800]) load(watch, first, first + 290);
  expect(watch.isSlow(5_000)).toBe(false);
});

test('a single late part is not slow, but one that keeps loading is', () => {
  const watch = new TransferWatch();
  for (const first of [1_000, 1_300]) load(watch, first, first + 5);
  load(watch, 1_600, 2_300);
  expect(watch.isSlow(2_300)).toBe(false);
  watch.begin(part(2_400, 0));
  expect(watch.isSlow(2_500)).toBe(false);
  expect(watch.isSlow(2_700)).toBe(true);
});
