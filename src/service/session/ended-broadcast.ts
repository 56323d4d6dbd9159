import type { EndedBroadcast, EndReason } from '../../shared/model/live.ts';
import { describeEnd } from './describe-end.ts';

/** A broadcast that has ended, with how bad that is and why in a sentence. Times are epoch milliseconds. */
export function endedBroadcast(ended: Pick<EndedBroadcast, 'sessionId' | 'startedAt' | 'endedAt' | 'reason'>): EndedBroadcast {
  return { ...ended, severity: isLoss(ended.reason) ? 'bad' : 'good', sentence: describeEnd(ended.reason) };
}

/** Whether a broadcast ended that nobody meant to end. */
export function isLoss(reason: EndReason): boolean {
  return reason === 'ingest-lost' || reason === 'service-crashed';
}

/** The last broadcast, when nobody meant to end it: kept until that is dismissed, or the next one is on air. */
export class LostBroadcast {
  #lost: EndedBroadcast | undefined;

  get current(): EndedBroadcast | undefined {
    return this.#lost;
  }

  /** A broadcast has ended. */
  note(ended: Parameters<typeof endedBroadcast>[0]): void {
    this.#lost = isLoss(ended.reason) ? endedBroadcast(ended) : undefined;
  }

  /** The owner has seen it; says whether that changed anything. */
  dismiss(sessionId: string): boolean {
    if (this.#lost?.sessionId !== sessionId) return false;
    this.#lost = undefined;
    return true;
  }

  forget(): void {
    this.#lost = undefined;
  }
}
