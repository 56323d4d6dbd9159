import { expect, test } from 'vitest';
import { putLast } from './put-last.ts';

test('the oldest entry makes room for a new one', () => {
  const map = new Map([['one', 1]]);
  putLast(map, 'two', 2, 2);
  putLast(map, 'three', 3, 2);
  expect([...map]).toEqual([
    ['two', 2],
    ['three', 3],
  ]);
});

test('an entry that is put again counts as the newest, and drops no other', () => {
  const map = new Map([
    ['one', 1],
    ['two', 2],
  ]);
  putLast(map, 'one', 11, 2);
  expect([...map]).toEqual([
    ['two', 2],
    ['one', 11],
  ]);
});
