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

test('messages that waited while the page slept say nothing of the clock, which may have been set meanwhile', () => {
  const clock = createServiceClock();
  const steady: number[] = [];
  clock.onChange(() => steady.push(clock.steadyOffsetMs()));
  const hear = (serviceNowMs: number, receivedAtMs: number) => {
    clock.note(serviceNowMs, receivedAtMs);
    return clock.newestOffsetMs();
  };
  expect([hear(300_000, 0), hear(302_000, 2_000)]).toEqual([300_000, 300_000]);
  // It wakes after 20 s, and reads what came meanwhile.
  const waited = Array.from({ length: 10 }, (_, beat) => hear(304_000 + 2_000 * beat, 22_000 + 5 * beat));
  expect(waited).toEqual(Array(10).fill(300_000));
  expect([hear(324_000, 24_000), steady]).toEqual([300_000, [300_000]]);
  // Set back by an hour, the service's clock is believed with the second message at the usual pace.
  expect([hear(-3_246_000, 54_000), hear(-3_244_000, 56_000), steady]).toEqual([300_000, -3_300_000, [300_000, -3_300_000]]);
});

test('a message that took less time tells the offset better', () => {
  expect(follow(4_200, 4_990, 4_960).said.map(([, steady]) => steady)).toEqual([4_200, 4_990, 4_990]);
});

test('the newest offset is reported as is, even if small', () => {
  expect(follow(1_400, 1_380).said.map(([newest]) => newest)).toEqual([1_400, 1_380]);
});
