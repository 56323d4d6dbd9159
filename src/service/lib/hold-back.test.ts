import { expect, test } from 'vitest';
import { HoldBack } from './hold-back.ts';

test('values are held back until the release, and then passed on in order and at once', () => {
  const out: number[] = [];
  const holdBack = new HoldBack<number>((value) => out.push(value));
  holdBack.push(1);
  holdBack.push(2);
  expect([out, holdBack.held, holdBack.isReleased]).toEqual([[], [1, 2], false]);
  holdBack.release();
  holdBack.push(3);
  expect([out, holdBack.held, holdBack.isReleased]).toEqual([[1, 2, 3], [], true]);
  holdBack.release();
  expect(out).toEqual([1, 2, 3]);
});

test('what is pushed during the release comes after what was held', () => {
  const out: number[] = [];
  const holdBack = new HoldBack<number>((value) => {
    out.push(value);
    if (value === 1) holdBack.push(3);
  });
  holdBack.push(1);
  holdBack.push(2);
  holdBack.release();
  expect([out, holdBack.isReleased]).toEqual([[1, 2, 3], true]);
});

test('a value that cannot be taken loses the ones behind it, and later values are passed on', () => {
  const out: number[] = [];
  const holdBack = new HoldBack<number>((value) => {
    if (value === 2) throw new Error('No.');
    out.push(value);
  });
  for (const value of [1, 2, 3]) holdBack.push(value);
  expect(() => holdBack.release()).toThrow('No.');
  holdBack.push(4);
  expect([out, holdBack.held]).toEqual([[1, 4], []]);
});
