import type { OneClickState } from '../../shared/model/live.ts';

/** The facts about a broadcast to a remote service that say since when its media are lost. Times are those of `Clock.monotonicMs`. */
interface SendingFacts {
  nowMs: number;
  /** Since when one click was sending until now; undefined if it wasn't. */
  sendingSinceMs: number | undefined;
  /** Since when the service's numbers haven't moved; undefined if they move, or it can't be said. */
  silentSinceMs: number | undefined;
  /** The broadcast on air is another program's. */
  isForeign: boolean;
}

/**
 * Since when a remote service gets nothing of our broadcast: one click has lost its ingest, failed or was stopped. It lasts until one click
 * sends again, the service calls the stream inactive, or another program has taken over.
 */
export class OurLoss {
  #began: { atMs: number; wasSent: boolean } | undefined;

  /** By `Clock.monotonicMs`; undefined without a loss. */
  get sinceMs(): number | undefined {
    return this.#began?.atMs;
  }

  /** Whether the service had got some of what is lost, so that it may wait for the rest. */
  get wasSent(): boolean {
    return this.#began?.wasSent === true;
  }

  /** Call at every change of the one click. The loss began when the service fell silent, if that was noticed before. */
  follow(state: OneClickState, { nowMs, sendingSinceMs, silentSinceMs = nowMs, isForeign }: SendingFacts): void {
    const { kind } = state;
    const isTakenOver = kind === 'failed' && state.failure.code === 'taken-over';
    if (kind === 'running' || isTakenOver || isForeign) this.#began = undefined;
    else if (kind === 'retrying' || sendingSinceMs !== undefined) {
      const wasSent = sendingSinceMs !== undefined;
      this.#began ??= { atMs: Math.max(silentSinceMs, sendingSinceMs ?? 0), wasSent };
    }
    // Nothing of ours was ever there, so the broadcast on air is another program's.
    if (kind !== 'starting' && kind !== 'retrying' && this.#began?.wasSent === false) this.#began = undefined;
  }

  /** Call with each answer of the service. While the ingest is tried again, our broadcast may still come back. */
  note({ kind }: OneClickState, isActive: boolean, isForeign: boolean): void {
    if (kind !== 'retrying' && (!isActive || isForeign)) this.#began = undefined;
  }
}
