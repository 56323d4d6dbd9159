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

  /**
   * Call at each tick. The publisher counts as silent in `signalEndsInMs()`, unless it sends; already does when negative; undefined
   * without one.
   */
  foresee(streamId: string, signalEndsInMs: () => number | undefined): void {
    this.forget(streamId);
    const endsInMs = signalEndsInMs() ?? -1;
    if (endsInMs < 0 || endsInMs > this.#withinMs) return;
    const look = () => {
      this.#timers.delete(streamId);
      // By the clock, which may be a millisecond behind the timers, it isn't silent yet, or it has sent meanwhile.
      if ((signalEndsInMs() ?? -1) >= 0) this.foresee(streamId, signalEndsInMs);
      else this.#onSilent(streamId);
    };
    this.#timers.set(streamId, setTimeout(look, Math.ceil(endsInMs) + 1));
  }

  /** Foresees nothing for this stream any more. */
  forget(streamId: string): void {
    clearTimeout(this.#timers.get(streamId));
    this.#timers.delete(streamId);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
