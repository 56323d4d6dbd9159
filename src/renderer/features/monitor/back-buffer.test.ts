import { expect, test } from 'vitest';
import { BackBuffer } from './back-buffer.ts';

const segment = { start: 12 };

test('with frequent keyframes the least is kept', () => {
  const buffer = new BackBuffer(15);
  for (const start of [0, 2, 4, 6]) buffer.note({ start });
  expect([3, 30].map((seconds) => buffer.findSeconds(seconds))).toEqual([15, 25]);
  for (const start of [8, 20, 28]) buffer.note({ start });
  expect([3, 30].map((seconds) => buffer.findSeconds(seconds))).toEqual([15, 15]);
});

test('media is kept from the keyframe of the current picture on, as parts tell', () => {
  const buffer = new BackBuffer(4);
  buffer.note(segment, { start: 12, independent: true });
  for (const start of [12.2, 30, 48]) buffer.note(segment, { start, independent: false });
  expect([14, 20, 50].map((seconds) => buffer.findSeconds(seconds))).toEqual([4, 9, 39]);
  // Already buffered, and not yet played.
  buffer.note(segment, { start: 50.2, independent: true });
  expect([50, 50.4, 600].map((seconds) => buffer.findSeconds(seconds))).toEqual([39, 4, 120]);
});

test('before anything is buffered, the least is kept', () => {
  expect(new BackBuffer(15).findSeconds(100)).toBe(15);
});
