import type { DatabaseSync } from 'node:sqlite';

/** What is added to a session, and to its stream, by media that has arrived since it was last stored. */
export interface CounterDeltas {
  lastSeen: number;
  sourceSegments: number;
  sourceDurationUs: number;
  transcodedSegments: number;
  transcodedDurationUs: number;
}

/** The numbers the next segment of a stream's playlists takes, so that they never go back over a restart. */
export interface NextSequences {
  nextMediaSequence: number;
  nextDiscontinuitySequence: number;
}

/** The queries on sessions, and what a broadcast changes of its stream. */
export interface SessionTable {
  /** Stores a new active session with its stream's name, profiles and token, and marks the stream active. */
  begin(session: { id: string; parentId: string; at: number }): void;
  /** Adds to one stream object. One that has not ended is active again. */
  add(id: string, deltas: CounterDeltas): void;
  /** Adds renditions' segments to a session and its stream, whether or not the session has ended. */
  addTranscoded(sessionId: string, segments: number, durationUs: number): void;
  setNextSequences(streamId: string, next: NextSequences): void;
  findNextSequences(streamId: string): NextSequences | undefined;
  end(session: { id: string; at: number; reason: string }): void;
  /** Ends every session that a crash left open, and stores every active stream object as inactive; how many there were. */
  healActive(reason: string): number;
}

/** Prepares the queries on sessions. */
export function openSessionTable(db: DatabaseSync): SessionTable {
  const insert = db.prepare(
    `INSERT INTO stream (id, parent_id, name, profiles, record, created_at, created_by_token_name, is_active, last_seen)
     SELECT ?, id, name, profiles, record, ?, created_by_token_name, 1, ? FROM stream WHERE id = ?`,
  );
  const activate = db.prepare('UPDATE stream SET is_active = 1, last_seen = max(last_seen, ?) WHERE id = ?');
  const add = db.prepare(
    `UPDATE stream SET is_active = (ended_at IS NULL AND deleted_at IS NULL), last_seen = max(last_seen, ?),
       source_segments = source_segments + ?, source_duration_us = source_duration_us + ?,
       transcoded_segments = transcoded_segments + ?, transcoded_duration_us = transcoded_duration_us + ?
     WHERE id = ?`,
  );
  const addTranscoded = db.prepare(
    `UPDATE stream SET transcoded_segments = transcoded_segments + ?, transcoded_duration_us = transcoded_duration_us + ?
     WHERE id = ?3 OR id = (SELECT parent_id FROM stream WHERE id = ?3)`,
  );
  const setNext = db.prepare('UPDATE stream SET next_media_sequence = ?, next_discontinuity_sequence = ? WHERE id = ?');
  const findNext = db.prepare(
    `SELECT next_media_sequence AS nextMediaSequence, next_discontinuity_sequence AS nextDiscontinuitySequence
     FROM stream WHERE id = ?`,
  );
  const end = db.prepare('UPDATE stream SET is_active = 0, ended_at = ?, end_reason = ? WHERE id = ?');
  const deactivateParent = db.prepare('UPDATE stream SET is_active = 0 WHERE id = (SELECT parent_id FROM stream WHERE id = ?)');
  const endOpen = db.prepare(
    `UPDATE stream SET is_active = 0, ended_at = max(last_seen, created_at), end_reason = ?
     WHERE parent_id IS NOT NULL AND ended_at IS NULL`,
  );
  const healActive = db.prepare('UPDATE stream SET is_active = 0 WHERE is_active = 1');

  return {
    begin({ id, parentId, at }) {
      insert.run(id, at, at, parentId);
      activate.run(at, parentId);
    },
    add(id, { lastSeen, sourceSegments, sourceDurationUs, transcodedSegments, transcodedDurationUs }) {
      add.run(lastSeen, sourceSegments, sourceDurationUs, transcodedSegments, transcodedDurationUs, id);
    },
    addTranscoded(sessionId, segments, durationUs) {
      addTranscoded.run(segments, durationUs, sessionId);
    },
    setNextSequences(streamId, next) {
      setNext.run(next.nextMediaSequence, next.nextDiscontinuitySequence, streamId);
    },
    findNextSequences: (streamId) => findNext.get(streamId) as NextSequences | undefined,
    end({ id, at, reason }) {
      end.run(at, reason, id);
      deactivateParent.run(id);
    },
    healActive: (reason) => Number(endOpen.run(reason).changes) + Number(healActive.run().changes),
  };
}
