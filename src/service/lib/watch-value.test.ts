import { expect, test } from 'vitest';
import { createEventSource } from './event-source.ts';
import { watchValue } from './watch-value.ts';

function startWatching(minIntervalMs = 1) {
  const changes = createEventSource<void>();
  const abort = new AbortController();
  const state = { value: 1 };
  let listeners = 0;
  const values = watchValue(() => state.value, {
    onChange: (listener) => {
      listeners += 1;
      const off = changes.on(listener);
      return () => {
        listeners -= 1;
        off();
      };
    },
    signal: abort.signal,
    minIntervalMs,
  });
  const set = (value: number) => {
    state.value = value;
    changes.emit();
  };
  return { values, set, abort, listeners: () => listeners };
}

test('a new listener first gets the current value, then each change', async () => {
  const { values, set } = startWatching();
  expect(await values.next()).toEqual({ done: false, value: 1 });
  set(2);
  expect(await values.next()).toEqual({ done: false, value: 2 });
  const next = values.next();
  set(3);
  expect(await next).toEqual({ done: false, value: 3 });
  await values.return();
});

test('a slow listener gets missed changes as one, the newest', async () => {
  const { values, set } = startWatching();
  await values.next();
  for (let value = 2; value <= 1000; value += 1) set(value);
  expect(await values.next()).toEqual({ done: false, value: 1000 });
  await values.return();
});

test('aborting ends the iteration and forgets the listener', async () => {
  const { values, abort, listeners } = startWatching();
  await values.next();
  expect(listeners()).toBe(1);
  const next = values.next();
  abort.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(listeners()).toBe(0);
});

test('returning ends the iteration and forgets the listener', async () => {
  const { values, listeners } = startWatching();
  await values.next();
  await values.return();
  expect(listeners()).toBe(0);
});
