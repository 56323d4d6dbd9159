/** Holds values back until {@link release}, then passes them on in order. After that it passes on each value at once. */
export class HoldBack<Value> {
  readonly #handOn: (value: Value) => void;
  #held: Value[] | undefined = [];

  constructor(handOn: (value: Value) => void) {
    this.#handOn = handOn;
  }

  /** The values held back, oldest first. */
  get held(): readonly Value[] {
    return this.#held ?? [];
  }

  get isReleased(): boolean {
    return this.#held === undefined;
  }

  push(value: Value): void {
    if (this.#held === undefined) this.#handOn(value);
    else this.#held.push(value);
  }

  /** Passes on the held values; values pushed meanwhile come after them. If a value cannot be taken, the ones behind it are lost. */
  release(): void {
    const held = this.#held ?? [];
    try {
      for (const value of held) this.#handOn(value);
    } finally {
      this.#held = undefined;
    }
  }
}
