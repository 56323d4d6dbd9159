import { expect, test } from 'vitest';
import { SleepWatch } from './sleep-watch.ts';

/** This time of day, on the first day. */
const at = (time: string) => new Date(`2030-01-01T${time}`).getTime();

/** A computer whose clocks are set by the test; it starts at 10:00 local time. */
function createComputer() {
  const times = { wall: new Date(2030, 0, 1, 10).getTime(), monotonic: 5_000, uptime: 90_000 };
  const watch = new SleepWatch({ now: () => times.wall, monotonicMs: () => times.monotonic }, () => times.uptime);
  return {
    times,
    watch,
    pass(ms: number, clocks: readonly (keyof typeof times)[] = ['wall', 'monotonic', 'uptime']) {
      for (const clock of clocks) times[clock] += ms;
    },
  };
}

test('a sleep is reported once with its times, and findable for a while', () => {
  const { watch, pass, times } = createComputer();
  pass(1_000);
  expect(watch.check()).toBeUndefined();
  pass(1_500_000, ['wall', 'uptime']);
  pass(1_000);
  const slept = watch.check();
  expect(slept).toEqual({ kind: 'slept', from: times.wall - 1_501_000, to: times.wall });
  expect(slept).toEqual({ kind: 'slept', from: at('10:00:01'), to: at('10:25:02') });
  pass(1_000);
  expect(watch.check()).toBeUndefined();
  expect([watch.findRecent(1_000), watch.findRecent(999)]).toEqual([slept, undefined]);
  pass(59_000);
  expect(watch.findRecent()).toEqual(slept);
  pass(1);
  expect(watch.findRecent()).toBeUndefined();
});

test('setting the wall clock is not a sleep', () => {
  const { watch, pass } = createComputer();
  for (const ms of [3_600_000, -7_200_000]) {
    pass(ms, ['wall']);
    pass(1_000);
    expect(watch.check()).toBeUndefined();
  }
});

test('if every clock advanced, Tallylight was held for an unknown reason; short holds are not reported', () => {
  const { watch, pass } = createComputer();
  pass(9_999);
  expect(watch.check()).toBeUndefined();
  pass(60_000);
  const held = watch.check();
  expect(held).toEqual({ kind: 'held', from: at('10:00:09.999'), to: at('10:01:09.999') });
  pass(10_000);
  expect(watch.check()).toMatchObject({ kind: 'held' });
});

test.each([
  ['before', true],
  ['after', false],
])(
  'where every clock runs on during sleep, the system tells of it, whether it says that it woke %s the next check or not',
  (_when, isFirst) => {
    const { watch, pass } = createComputer();
    watch.hear('suspend');
    pass(1_000);
    expect(watch.check()).toBeUndefined();
    pass(1_500_000);
    if (isFirst) watch.hear('resume');
    expect(watch.check()).toEqual({ kind: 'slept', from: at('10:00:01'), to: at('10:25:01') });
    if (!isFirst) watch.hear('resume');
    pass(1_000);
    expect(watch.check()).toBeUndefined();
    pass(60_000);
    expect(watch.check()).toMatchObject({ kind: 'held' });
  },
);

test('a computer that is asleep for a moment only has not slept', () => {
  const { watch, pass } = createComputer();
  watch.hear('suspend');
  pass(3_000);
  watch.hear('resume');
  expect(watch.check()).toBeUndefined();
});
