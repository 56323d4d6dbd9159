import { expect, test } from 'vitest';
import { createListeners } from './listeners.ts';

test('listeners are called in order, and a change meanwhile counts from the next call on', () => {
  const listeners = createListeners<number>();
  const seen: string[] = [];
  const undo = listeners.on((value) => {
    seen.push(`first ${value}`);
    undo();
    listeners.on((later) => seen.push(`third ${later}`));
  });
  listeners.on((value) => seen.push(`second ${value}`));
  listeners.emit(1);
  listeners.emit(2);
  expect(seen).toEqual(['first 1', 'second 1', 'second 2', 'third 2']);
});

test('they are empty again once all have left, or after clearing', () => {
  const listeners = createListeners();
  const undo = listeners.on(() => {});
  expect(listeners.isEmpty()).toBe(false);
  undo();
  expect(listeners.isEmpty()).toBe(true);
  listeners.on(() => {});
  listeners.clear();
  expect(listeners.isEmpty()).toBe(true);
});
