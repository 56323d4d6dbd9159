import type { DatabaseSync } from 'node:sqlite';
import { columnOf, type StreamRow } from './stream-table.ts';

/** The counters of streams and sessions. */
export const counters = [
  'sourceSegments',
  'sourceDurationUs',
  'transcodedSegments',
  'transcodedDurationUs',
] as const satisfies readonly (keyof StreamRow)[];

/** The counts that media has added to a stream or session since it was last stored. */
export interface CounterDeltas extends Record<(typeof counters)[number], number> {
  /** Replaces the stored one, unless it is 0. */
  lastSeen: number;
  /** How long a session has lasted by then, for a crash that ends it. Replaces the stored one, unless it is 0. */
  lastedMs: number;
}

/** The numbers of the next segment in a stream's playlists. Stored, so that they never go back after a restart. */
export interface NextSequences {
  nextMediaSequence: number;
  nextDiscontinuitySequence: number;
}

/** How long an ended session lasted, and how long its publisher had been gone by then. */
export interface SessionLengths {
  lastedMs: number;
  goneMs: number;
}

/** The queries on sessions, and on a session's changes to its stream. They change nothing of a deleted stream. */
export interface SessionTable {
  /** The next unused `seq`. */
  nextSeq(): number;
  /** Stores a new session with its stream's name, profiles and token. If `seq` is undefined, it takes the next one. */
  begin(session: { seq: number | undefined; id: string; parentId: string; at: number }): void;
  /** Adds to the counters of a stream object and sets whether it is active. */
  add(id: string, deltas: CounterDeltas, isActive: boolean): void;
  setNextSequences(streamId: string, next: NextSequences): void;
  end(session: { id: string; at: number; reason: string; by?: string | undefined } & SessionLengths): void;
  /** Sets the stream's last session if it ended unintentionally and has not been dismissed; null clears it. */
  setLost(streamId: string, sessionId: string | null): void;
  /** Each stream that lost its last session, with that session. */
  listLost(): [streamId: string, sessionId: string][];
  /** Ends all sessions that a crash left open, marks them as lost, and makes all active stream objects inactive. Returns how many there were. */
  healActive(reason: string): number;
}

/** Prepares the queries on sessions. */
export function openSessionTable(db: DatabaseSync): SessionTable {
  const lastSeq = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'stream'");
  const insert = db.prepare(
    `INSERT INTO stream (seq, id, parent_id, name, profiles, record, created_at, created_by_token_name, is_active, last_seen)
     SELECT ?, ?, id, name, profiles, record, ?, created_by_token_name, 1, ? FROM stream WHERE id = ? AND deleted_at IS NULL`,
  );
  const add = db.prepare(
    `UPDATE stream SET is_active = :isActive, last_seen = coalesce(nullif(:lastSeen, 0), last_seen),
       lasted_ms = coalesce(nullif(:lastedMs, 0), lasted_ms),
       ${counters.map((counter) => `${columnOf[counter]} = ${columnOf[counter]} + :${counter}`).join(', ')}
     WHERE id = :id AND deleted_at IS NULL`,
  );
  const setNext = db.prepare(
    'UPDATE stream SET next_media_sequence = ?, next_discontinuity_sequence = ? WHERE id = ? AND deleted_at IS NULL',
  );
  const end = db.prepare(
    `UPDATE stream SET is_active = 0, ended_at = ?, end_reason = ?, ended_by = ?, lasted_ms = ?, gone_ms = ?
     WHERE id = ? AND deleted_at IS NULL`,
  );
  const setLost = db.prepare('UPDATE stream SET lost_session = ? WHERE id = ? AND deleted_at IS NULL');
  const findLost = db.prepare(
    'SELECT id, lost_session AS lost FROM stream WHERE lost_session IS NOT NULL AND deleted_at IS NULL',
  );
  const loseOpen = db.prepare(
    `UPDATE stream SET lost_session = open.id FROM (SELECT id, parent_id, max(seq) FROM stream
       WHERE parent_id IS NOT NULL AND ended_at IS NULL GROUP BY parent_id) AS open WHERE stream.id = open.parent_id`,
  );
  const endOpen = db.prepare(
    `UPDATE stream SET is_active = 0, ended_at = max(last_seen, created_at), end_reason = ?
     WHERE parent_id IS NOT NULL AND ended_at IS NULL`,
  );
  const healActive = db.prepare('UPDATE stream SET is_active = 0 WHERE is_active = 1');

  return {
    nextSeq: () => ((lastSeq.get() as { seq: number } | undefined)?.seq ?? 0) + 1,
    begin({ seq, id, parentId, at }) {
      insert.run(seq ?? null, id, at, at, parentId);
    },
    add(id, deltas, isActive) {
      add.run({ ...deltas, id, isActive: Number(isActive) });
    },
    setNextSequences(streamId, next) {
      setNext.run(next.nextMediaSequence, next.nextDiscontinuitySequence, streamId);
    },
    end({ id, at, reason, by, lastedMs, goneMs }) {
      end.run(at, reason, by ?? null, lastedMs, goneMs, id);
    },
    setLost(streamId, sessionId) {
      setLost.run(sessionId, streamId);
    },
    listLost: () => (findLost.all() as { id: string; lost: string }[]).map(({ id, lost }) => [id, lost]),
    healActive(reason) {
      loseOpen.run();
      return Number(endOpen.run(reason).changes) + Number(healActive.run().changes);
    },
  };
}
