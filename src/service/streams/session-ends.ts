import { EndReason } from '../../shared/model/live.ts';
import type { SessionLengths } from '../store/session-table.ts';
import type { StreamRow } from '../store/stream-table.ts';
import type { CurrentRows } from './current-rows.ts';
import { type EndCause, parseEndedBy } from './end-cause.ts';
import type { SessionLedger } from './session-ledger.ts';

/** How a session ended. Times are Unix milliseconds. */
export interface SessionEnd extends EndCause, SessionLengths {
  sessionId: string;
  startedAt: number;
  at: number;
}

/** How sessions ended, and which of them were lost. */
export interface SessionEnds {
  /** How the session ended; undefined while it is running, and if the reason is unknown. */
  find(sessionId: string): SessionEnd | undefined;
  /** The stream's last session, if it ended unintentionally and the owner has not dismissed that. */
  findLost(streamId: string): string | undefined;
  /** Dismisses a lost session. Does nothing if it is no longer the stream's last one. */
  dismissLost(streamId: string, sessionId: string): void;
}

/** Reads the ends of sessions from their rows. */
export function createSessionEnds(rows: Pick<CurrentRows, 'find'>, ledger: SessionLedger): SessionEnds {
  const find = (sessionId: string): SessionEnd | undefined => {
    const row = rows.find(sessionId);
    // Another version, or damage to the store, may have left a reason that is none.
    const reason = EndReason.safeParse(row?.endReason).data;
    if (row === undefined || row.endedAt === null || reason === undefined) return undefined;
    const { createdAt: startedAt, endedAt: at, endedBy } = row;
    const by = endedBy === null ? {} : parseEndedBy(reason, endedBy);
    return { sessionId, startedAt, at, ...sessionLengths(row, at), reason, ...by };
  };
  return {
    find,
    findLost: (streamId) => ledger.findLost(streamId),
    dismissLost(streamId, sessionId) {
      if (ledger.findLost(streamId) === sessionId) ledger.dismissLost(streamId);
    },
  };
}

/**
 * Without stored lengths (from an earlier version, or a run that crashed before it stored any), uses the difference of the times of day;
 * of a session that ended before it began, since the clock was set back, the length of its media.
 */
function sessionLengths(row: StreamRow, endedAt: number): SessionLengths {
  const { createdAt, lastSeen, sourceDurationUs, lastedMs, goneMs } = row;
  const media = Math.round(sourceDurationUs / 1000);
  return {
    lastedMs: lastedMs ?? (endedAt > createdAt ? endedAt - createdAt : media),
    goneMs: goneMs ?? Math.max(0, endedAt - Math.max(createdAt, lastSeen)),
  };
}
