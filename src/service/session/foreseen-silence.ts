import { callWhenRead } from '../lib/held-up.ts';

interface ForeseenSilencesOptions {
  /** How far ahead it looks: the time between two ticks. */
  withinMs: number;
  monotonicMs: () => number;
  onSilent: (streamId: string) => void;
}

/**
 * Reports a silent publisher at once instead of at the next tick, by a timer per stream whose publisher would be silent before
 * that.
 */
export class ForeseenSilences {
  /** Cancels the timer of each stream. */
  readonly #undos = new Map<string, () => void>();
  readonly #options: ForeseenSilencesOptions;

  constructor(options: ForeseenSilencesOptions) {
    this.#options = options;
  }

  /**
   * Call at each tick. `signalEndsInMs` returns in how many milliseconds the publisher will count as silent if it sends nothing:
   * negative if it already does, undefined without a publisher.
   */
  foresee(streamId: string, signalEndsInMs: () => number | undefined): void {
    this.forget(streamId);
    const { withinMs, monotonicMs, onSilent } = this.#options;
    const endsInMs = signalEndsInMs() ?? -1;
    if (endsInMs < 0 || endsInMs > withinMs) return;
    const look = () => {
      this.#undos.delete(streamId);
      // By the clock, which may be a millisecond behind the timers, it isn't silent yet, or it has sent meanwhile.
      if ((signalEndsInMs() ?? -1) >= 0) this.foresee(streamId, signalEndsInMs);
      else onSilent(streamId);
    };
    this.#undos.set(streamId, callWhenRead(Math.ceil(endsInMs) + 1, look, monotonicMs));
  }

  /** Cancels the stream's timer. */
  forget(streamId: string): void {
    this.#undos.get(streamId)?.();
    this.#undos.delete(streamId);
  }

  close(): void {
    for (const undo of this.#undos.values()) undo();
  }
}
