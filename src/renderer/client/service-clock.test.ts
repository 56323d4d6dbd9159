import { expect, test } from 'vitest';
import { createServiceClock } from './service-clock.ts';

/** The clock after each message as `[newest, steady]`, and how often it reported a change. */
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

test('clocks of one computer count as equal, however long a message takes', () => {
  const { said, changes } = follow(0, -2, -40, -900);
  expect(said.map(([, steady]) => steady)).toEqual([0, 0, 0, 0]);
  expect(changes).toBe(0);
});

test('the steady offset changes only when the clocks drift apart', () => {
  const { said, changes } = follow(5_000, 4_980, 5_030, 4_100, -60_000);
  expect(said.map(([, steady]) => steady)).toEqual([5_000, 5_000, 5_000, 5_000, -60_000]);
  expect(changes).toBe(2);
});

test('messages that a page reads late, after it was stopped for a while, leave no offset', () => {
  expect(follow(0, -2_700, -1_700, -700, -5, 0).said.at(-1)).toEqual([0, -5]);
});

test('a message that took less time tells the offset better', () => {
  expect(follow(4_200, 4_990, 4_960).said.map(([, steady]) => steady)).toEqual([4_200, 4_990, 4_990]);
});

test('the newest offset is reported as is, even if small', () => {
  expect(follow(1_400, 1_380).said.map(([newest]) => newest)).toEqual([1_400, 1_380]);
});
