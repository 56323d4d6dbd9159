/** Reports that a publisher is silent at that moment, not at the next tick: one timer per stream whose publisher will be silent soon. */
export class ForeseenSilences {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #withinMs: number;
  readonly #onSilent: (streamId: string) => void;

  /** `withinMs` is how far ahead it looks: the time between two ticks. */
  constructor(withinMs: number, onSilent: (streamId: string) => void) {
    this.#withinMs = withinMs;
    this.#onSilent = onSilent;
  }

  /** Call at each tick: the publisher counts as silent in `signalEndsInMs`, unless it sends; already does when negative. */
  foresee(streamId: string, signalEndsInMs = -1): void {
    clearTimeout(this.#timers.get(streamId));
    this.#timers.delete(streamId);
    if (signalEndsInMs < 0 || signalEndsInMs > this.#withinMs) return;
    const timer = setTimeout(() => this.#onSilent(streamId), Math.ceil(signalEndsInMs) + 1);
    this.#timers.set(streamId, timer);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
