import type { EndedBroadcast, EndReason } from '../../shared/model/live.ts';
import type { AirPhase } from './air-phase.ts';
import { describeEnd } from './describe-end.ts';

/** What ends now with this phase. */
export function endedPhase(
  phase: Extract<AirPhase, { sessionId: string }>,
  { now, reason }: { now: number; reason: EndReason },
  timeOfDay: (atMs: number) => number,
): ReturnType<typeof endedBroadcast> {
  const lostAt = phase.kind === 'reconnecting' ? timeOfDay(phase.lostAt) : undefined;
  const times = { startedAt: timeOfDay(phase.since), ...(lostAt && { lostAt }), endedAt: timeOfDay(now) };
  return endedBroadcast({ sessionId: phase.sessionId, ...times, reason });
}

/** A broadcast that has ended, with how bad that is and why in a sentence. Times are epoch milliseconds. */
export function endedBroadcast(ended: Omit<EndedBroadcast, 'severity' | 'sentence'>): EndedBroadcast & { sentence: string } {
  const { reason, lostAt, endedAt } = ended;
  const goneMs = lostAt === undefined ? undefined : endedAt - lostAt;
  return { ...ended, severity: isLoss(reason) ? 'bad' : 'good', sentence: describeEnd(reason, goneMs) };
}

/** Whether nobody meant the broadcast to end. */
function isLoss(reason: EndReason): boolean {
  return reason === 'ingest-lost' || reason === 'service-crashed';
}

/** The last broadcast, when nobody meant to end it: kept until that is dismissed, or the next one is on air. */
export class LostBroadcast {
  #lost: EndedBroadcast | undefined;

  get current(): EndedBroadcast | undefined {
    return this.#lost;
  }

  /** A broadcast has ended. */
  note(ended: EndedBroadcast): void {
    this.#lost = isLoss(ended.reason) ? ended : undefined;
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
