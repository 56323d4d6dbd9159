/** The listeners to one thing, each called with every value. */
export interface Listeners<Value = void> {
  /** Calls them in the order they were added. Adding or removing a listener meanwhile takes effect at the next call. */
  emit(value: Value): void;
  /** Adds a listener; returns a function that removes it. */
  on(listener: (value: Value) => void): () => void;
  isEmpty(): boolean;
  clear(): void;
}

/** Creates {@link Listeners}, with none yet. */
export function createListeners<Value = void>(): Listeners<Value> {
  const all = new Set<{ call: (value: Value) => void }>();
  return {
    emit(value) {
      for (const listener of [...all]) listener.call(value);
    },
    on(listener) {
      const entry = { call: listener };
      all.add(entry);
      return () => {
        all.delete(entry);
      };
    },
    isEmpty: () => all.size === 0,
    clear: () => all.clear(),
  };
}
