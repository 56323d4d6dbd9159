import { createListeners } from '../../shared/listeners.ts';
import { runHarmlessly } from './faults.ts';

/** Calls every listener with each value, in the order the listeners were added. */
export interface EventSource<T> {
  /** Never throws: a throwing listener is reported, and the others still get the value. */
  emit(value: T): void;
  /** Adds a listener; returns a function that removes it. */
  on(listener: (value: T) => void): () => void;
}

/** One function that calls all of these, each of which removes a listener. */
export function joinUndos(...undos: (() => void)[]): () => void {
  return () => {
    for (const undo of undos) undo();
  };
}

/** Creates an {@link EventSource}. Adding or removing a listener during `emit` takes effect at the next one. */
export function createEventSource<T>(): EventSource<T> {
  const { emit, on } = createListeners<T>();
  return { emit, on: (listener) => on((value) => runHarmlessly(() => listener(value), 'a listener')) };
}
