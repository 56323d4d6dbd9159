import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchForSilence } from './silence-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function startWatch() {
  const clock = { ms: 5_000 };
  const onSilence = vi.fn();
  const watch = watchForSilence({ limitMs: 10_000, onSilence, monotonicMs: () => clock.ms });
  return {
    clock,
    onSilence,
    watch,
    pass(ms: number) {
      clock.ms += ms;
      vi.advanceTimersByTime(ms);
    },
    /** The process stands still for so long, and its timers run first when it continues. */
    freeze(ms: number) {
      clock.ms += ms;
      vi.advanceTimersToNextTimer();
    },
  };
}

test('silence is reported once, when nothing was heard for the limit', () => {
  const { watch, onSilence, pass } = startWatch();
  pass(9_000);
  watch.heard();
  pass(9_999);
  expect(onSilence).not.toHaveBeenCalled();
  pass(1);
  watch.heard();
  pass(60_000);
  expect(onSilence).toHaveBeenCalledTimes(1);
});

test('after a freeze it first reads for 2 s', () => {
  const { onSilence, pass, freeze } = startWatch();
  freeze(15_000);
  expect(onSilence).not.toHaveBeenCalled();
  pass(1_999);
  expect(onSilence).not.toHaveBeenCalled();
  pass(1);
  expect(onSilence).toHaveBeenCalledTimes(1);
});

test('what is read after a freeze counts, and the whole limit begins again, over another freeze as well', () => {
  const { watch, onSilence, pass, freeze } = startWatch();
  for (let turn = 0; turn < 2; turn += 1) {
    freeze(15_000);
    watch.heard();
    pass(9_999);
    expect(onSilence).not.toHaveBeenCalled();
  }
  pass(1);
  expect(onSilence).toHaveBeenCalledTimes(1);
});

test('a timer that is late because the process is busy judges at once', () => {
  const { onSilence, freeze } = startWatch();
  freeze(11_000);
  expect(onSilence).toHaveBeenCalledTimes(1);
});

test.each([0, 15_000])('nothing is reported once it is stopped, %i ms after its start', (ms) => {
  const { watch, onSilence, pass, freeze } = startWatch();
  if (ms > 0) freeze(ms);
  watch.stop();
  watch.heard();
  pass(60_000);
  expect(onSilence).not.toHaveBeenCalled();
});
