import { expect, test } from 'vitest';
import { litZones, nameChannel } from './meter-scale.ts';

const green = { tone: 'good', from: 0, to: 40 };
const yellow = { tone: 'warn', from: 40, to: 51 };

test.each([
  [-120, []],
  [-60, []],
  [-45, [{ tone: 'good', from: 0, to: 15 }]],
  [-20, [green]],
  [-12, [green, { tone: 'warn', from: 40, to: 48 }]],
  [-9, [green, yellow]],
  [-1, [green, yellow, { tone: 'bad', from: 51, to: 59 }]],
  [2.4, [green, yellow, { tone: 'bad', from: 51, to: 60 }]],
])('at %d dBFS the bar is green, yellow from −20, and red from −9', (db, lit) => {
  expect(litZones(db)).toEqual(lit);
});

test.each([
  [1, ['Sound']],
  [2, ['Left', 'Right']],
  [3, ['Channel 1', 'Channel 2', 'Channel 3']],
])('%d channels have names', (count, names) => {
  expect(names.map((_, index) => nameChannel(index, count))).toEqual(names);
});
