import { expect, test } from 'vitest';
import { createServiceClock } from './service-clock.ts';

/** What the clock says after each message: `[newest, steady]`, and how often it told of a change. */
function follow(...offsetsMs: number[]) {
  const clock = createServiceClock();
  let changes = 0;
  clock.onChange(() => {
    changes += 1;
  });
  const said = offsetsMs.map((offsetMs) => {
    clock.note(1_000_000 + offsetMs, 1_000_000);
    return [clock.newestOffsetMs(), clock.steadyOffsetMs()];
  });
  return { said, changes };
}

test('the clocks of one computer are one, however long a message takes', () => {
  const { said, changes } = follow(0, -2, -40, -900);
  expect(said.map(([, steady]) => steady)).toEqual([0, 0, 0, 0]);
  expect(changes).toBe(0);
});

test('a difference of clocks holds still until they move against each other', () => {
  const { said, changes } = follow(5_000, 4_980, 5_900, -60_000);
  expect(said.map(([, steady]) => steady)).toEqual([5_000, 5_000, 5_000, -60_000]);
  expect(changes).toBe(2);
});

test('the newest difference is told as it is, also where it is small', () => {
  expect(follow(1_400, 1_380).said.map(([newest]) => newest)).toEqual([1_400, 1_380]);
});
