/** The listeners to one thing, each called with every value. */
export interface Listeners<Value = void> {
  /** Calls them in the order they were added. One that is added or removed meanwhile counts from the next call on. */
  tell(value: Value): void;
  /** Adds a listener; returns the undo. */
  on(listener: (value: Value) => void): () => void;
  isEmpty(): boolean;
  clear(): void;
}

/** No listeners yet. */
export function createListeners<Value = void>(): Listeners<Value> {
  const all = new Set<(value: Value) => void>();
  return {
    tell(value) {
      for (const listener of [...all]) listener(value);
    },
    on(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    isEmpty: () => all.size === 0,
    clear: () => all.clear(),
  };
}
