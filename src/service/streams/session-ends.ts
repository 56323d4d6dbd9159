import type { EndReason } from '../../shared/model/live.ts';
import { type BroadcastEnd, parseEndedBy } from './broadcast-end.ts';
import type { CurrentRows } from './current-rows.ts';
import type { SessionLedger } from './session-ledger.ts';

/** How a session ended. Times are epoch milliseconds. */
export interface SessionEnd extends BroadcastEnd {
  sessionId: string;
  startedAt: number;
  at: number;
  /** When media of it last came. */
  lastSeen: number;
}

/** How sessions ended, and which of them were lost. */
export interface SessionEnds {
  /** Why the session ended; undefined while it runs. */
  find(sessionId: string): SessionEnd | undefined;
  /** The stream's last session, if nobody meant to end it and its owner has not dismissed that. */
  findLost(streamId: string): string | undefined;
  /** The owner has seen that this session was lost; does nothing where it is not, or no more, the stream's last one. */
  dismissLost(streamId: string, sessionId: string): void;
}

/** Reads the ends of sessions from their rows. */
export function createSessionEnds(rows: Pick<CurrentRows, 'find'>, ledger: SessionLedger): SessionEnds {
  const find = (sessionId: string): SessionEnd | undefined => {
    const row = rows.find(sessionId);
    if (row === undefined || row.endedAt === null || row.endReason === null) return undefined;
    const { createdAt: startedAt, endedAt: at, lastSeen, endReason, endedBy } = row;
    const reason = endReason as EndReason;
    return { sessionId, startedAt, at, lastSeen, reason, ...(endedBy !== null && parseEndedBy(reason, endedBy)) };
  };
  return {
    find,
    findLost: (streamId) => ledger.findLost(streamId),
    dismissLost(streamId, sessionId) {
      if (ledger.findLost(streamId) === sessionId) ledger.dismissLost(streamId);
    },
  };
}
