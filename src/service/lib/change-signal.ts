/** A place to say "something changed", without saying what: listeners read the new value where it lives. */
export class ChangeSignal {
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` on every change until the returned undo is called. */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
