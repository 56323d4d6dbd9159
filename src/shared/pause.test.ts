import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pause } from './pause.ts';

test('a pause ends after its time', async () => {
  const beganAt = performance.now();
  await pause(20, new AbortController().signal);
  // Timers count whole milliseconds.
  expect(performance.now() - beganAt).toBeGreaterThanOrEqual(19);
});

test.each([0, 1])('a pause ends as soon as one of its signals aborts: %s', async (which) => {
  const aborts = [new AbortController(), new AbortController()];
  const over = pause(60_000, ...aborts.map(({ signal }) => signal));
  aborts[which]?.abort();
  await over;
});

test('a pause whose signal has aborted already is none', async () => {
  await pause(60_000, AbortSignal.abort());
});

test('a pause leaves nothing behind: neither a listener on a signal that lives on, nor a timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [longLived, aborted] = [new AbortController(), new AbortController()];
  const over = pause(60_000, longLived.signal, aborted.signal);
  aborted.abort();
  await over;
  expect([vi.getTimerCount(), getEventListeners(longLived.signal, 'abort')]).toEqual([0, []]);
});
