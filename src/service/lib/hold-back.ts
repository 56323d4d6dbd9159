/** Holds values back until {@link release}, then passes them on in order. After that it passes on each value at once. */
export class HoldBack<Value> {
  readonly #handOn: (value: Value) => void;
  #held: Value[] | undefined = [];

  constructor(handOn: (value: Value) => void) {
    this.#handOn = handOn;
  }

  /** What is held back, oldest first. */
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

  /** Passes on what is held; what is pushed meanwhile comes after it. If a value cannot be taken, the ones behind it are lost. */
  release(): void {
    const held = this.#held ?? [];
    try {
      for (const value of held) this.#handOn(value);
    } finally {
      this.#held = undefined;
    }
  }
}
