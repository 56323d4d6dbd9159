import { runHarmlessly } from './faults.ts';

/** Tells every listener each value, in the order they were added. */
export interface EventSource<T> {
  /** Never throws: a listener that does is reported, and the others hear the value all the same. */
  emit(value: T): void;
  /** Adds a listener; what it returns removes it again. */
  on(listener: (value: T) => void): () => void;
}

/** An {@link EventSource} without listeners. A listener added or removed during `emit` is first heeded by the next one. */
export function createEventSource<T>(): EventSource<T> {
  const listeners = new Set<{ call: (value: T) => void }>();
  return {
    emit(value) {
      for (const listener of [...listeners]) runHarmlessly(() => listener.call(value), 'a listener');
    },
    on(listener) {
      const entry = { call: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}
