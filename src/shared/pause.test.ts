import { expect, test } from 'vitest';
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
