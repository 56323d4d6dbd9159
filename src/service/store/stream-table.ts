import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A stored stream or, with a `parentId`, session. Times are Unix milliseconds; null means absent. */
export interface StreamRow {
  seq: number;
  id: string;
  parentId: string | null;
  name: string;
  /** JSON, as received. */
  profiles: string | null;
  record: number | null;
  suspended: number | null;
  /** JSON, as received. */
  multistream: string | null;
  createdAt: number;
  createdByTokenName: string | null;
  isActive: number;
  lastSeen: number;
  sourceSegments: number;
  sourceDurationUs: number;
  transcodedSegments: number;
  transcodedDurationUs: number;
  playbackId: string | null;
  sealedKey: Uint8Array | null;
  keyHash: Uint8Array | null;
  nextMediaSequence: number;
  nextDiscontinuitySequence: number;
  endedAt: number | null;
  endReason: string | null;
  endedBy: string | null;
  lastedMs: number | null;
  goneMs: number | null;
}

/** The column of each property. */
export const columnOf = {
  seq: 'seq',
  id: 'id',
  parentId: 'parent_id',
  name: 'name',
  profiles: 'profiles',
  record: 'record',
  suspended: 'suspended',
  multistream: 'multistream',
  createdAt: 'created_at',
  createdByTokenName: 'created_by_token_name',
  isActive: 'is_active',
  lastSeen: 'last_seen',
  sourceSegments: 'source_segments',
  sourceDurationUs: 'source_duration_us',
  transcodedSegments: 'transcoded_segments',
  transcodedDurationUs: 'transcoded_duration_us',
  playbackId: 'playback_id',
  sealedKey: 'sealed_key',
  keyHash: 'key_hash',
  nextMediaSequence: 'next_media_sequence',
  nextDiscontinuitySequence: 'next_discontinuity_sequence',
  endedAt: 'ended_at',
  endReason: 'end_reason',
  endedBy: 'ended_by',
  lastedMs: 'lasted_ms',
  goneMs: 'gone_ms',
} as const satisfies Readonly<Record<keyof StreamRow, string>>;

/** Every column, by the name of its property. */
const streamColumns = Object.entries(columnOf)
  .map(([property, column]) => `${column} AS ${property}`)
  .join(', ');

/** The values that a new stream is stored with. */
export type NewStreamRow = Pick<
  StreamRow,
  'id' | 'name' | 'profiles' | 'createdAt' | 'createdByTokenName' | 'playbackId' | 'sealedKey' | 'keyHash'
>;

/** The properties of a stream that a caller may change; absent ones keep their value. */
export type StreamRowChanges = Partial<Pick<StreamRow, 'name' | 'profiles' | 'record' | 'suspended' | 'multistream'>>;

/** Which stream objects to list, newest first. */
export interface ListFilter {
  kind: 'all' | 'streams' | 'sessions';
  parentId?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** Only objects created while the stream's `record` was set. */
  record?: boolean;
  /** Only objects created before the one with this `seq`. */
  beforeSeq: number;
  limit: number;
}

/** An SQL condition: the stream `:streamId` is not deleted. A broadcast may still write after its stream was deleted. */
export const isNotDeleted = 'NOT EXISTS (SELECT 1 FROM stream WHERE id = :streamId AND deleted_at IS NOT NULL)';

/** The queries on streams. Deleted ones are never found, but keep their ids, playback ids and the hashes of their keys reserved. */
export interface StreamTable {
  /** Returns false and stores nothing if the id, playback id or key is or was another stream's. */
  insert(row: NewStreamRow): boolean;
  find(id: string): StreamRow | undefined;
  findByKeyHash(keyHash: Uint8Array): StreamRow | undefined;
  findByPlaybackId(playbackId: string): StreamRow | undefined;
  list(filter: ListFilter): StreamRow[];
  update(id: string, changes: StreamRowChanges): void;
  /** Finds the stream that had this key before its current one. */
  findByOldKeyHash(keyHash: Uint8Array): StreamRow | undefined;
  /** Replaces a key that can no longer be used. */
  setKey(id: string, sealedKey: Uint8Array, keyHash: Uint8Array): void;
  /** Replaces a key and remembers the old one. Returns false and stores nothing if the new one is or was any stream's. */
  renewKey(id: string, key: { sealedKey: Uint8Array; keyHash: Uint8Array; at: number }): boolean;
  /**
   * Erases a stream, its sessions, its hold and its choice. Their rows keep only the values that {@link StreamTable} keeps
   * reserved.
   */
  delete(id: string, at: number): void;
}

/** Prepares the queries on streams. */
export function openStreamTable(db: DatabaseSync): StreamTable {
  const insert = db.prepare(
    `INSERT INTO stream (id, name, profiles, created_at, created_by_token_name, playback_id, sealed_key, key_hash)
     SELECT :id, :name, :profiles, :createdAt, :createdByTokenName, :playbackId, :sealedKey, :keyHash
     WHERE NOT EXISTS (SELECT 1 FROM old_key WHERE hash = :keyHash) ON CONFLICT DO NOTHING`,
  );
  const find = db.prepare(`SELECT ${streamColumns} FROM stream WHERE id = ? AND deleted_at IS NULL`);
  const findByKeyHash = db.prepare(`SELECT ${streamColumns} FROM stream WHERE key_hash = ? AND deleted_at IS NULL`);
  const findByOldKeyHash = db.prepare(
    `SELECT ${streamColumns} FROM stream WHERE deleted_at IS NULL AND id = (SELECT stream_id FROM old_key WHERE hash = ?)`,
  );
  const findByPlaybackId = db.prepare(`SELECT ${streamColumns} FROM stream WHERE playback_id = ? AND deleted_at IS NULL`);
  const update = db.prepare(
    `UPDATE stream SET
       name = coalesce(:name, name), profiles = coalesce(:profiles, profiles), record = coalesce(:record, record),
       suspended = coalesce(:suspended, suspended), multistream = coalesce(:multistream, multistream)
     WHERE id = :id`,
  );
  const setKey = db.prepare('UPDATE stream SET sealed_key = ?, key_hash = ? WHERE id = ?');
  const isKeyTaken = db.prepare(
    'SELECT 1 FROM stream WHERE key_hash = :hash UNION ALL SELECT 1 FROM old_key WHERE hash = :hash LIMIT 1',
  );
  const rememberKey = db.prepare(
    'INSERT INTO old_key (hash, stream_id, renewed_at) SELECT key_hash, id, ? FROM stream WHERE id = ?',
  );
  const erase = db.prepare(
    // Sessions stay ended: an open one would count as left open by a crash.
    `UPDATE stream SET
       name = '', profiles = NULL, record = NULL, suspended = NULL, multistream = NULL, created_at = 0, created_by_token_name = NULL,
       is_active = 0, last_seen = 0, source_segments = 0, source_duration_us = 0, transcoded_segments = 0,
       transcoded_duration_us = 0, next_media_sequence = 0, next_discontinuity_sequence = 0,
       sealed_key = CASE WHEN parent_id IS NULL THEN x'' END, ended_at = CASE WHEN parent_id IS NOT NULL THEN :at END,
       end_reason = NULL, ended_by = NULL, lost_session = NULL, lasted_ms = NULL, gone_ms = NULL, deleted_at = :at
     WHERE id = :id OR parent_id = :id`,
  );
  const forgetHold = db.prepare('DELETE FROM hold WHERE stream_id = ?');
  const forgetChoice = db.prepare('DELETE FROM one_click_choice WHERE stream_id = ?');
  const lists = new Map<string, StatementSync>();

  return {
    insert: (row) => insert.run({ ...row }).changes === 1,
    find: (id) => find.get(id) as StreamRow | undefined,
    findByKeyHash: (keyHash) => findByKeyHash.get(keyHash) as StreamRow | undefined,
    findByOldKeyHash: (keyHash) => findByOldKeyHash.get(keyHash) as StreamRow | undefined,
    findByPlaybackId: (playbackId) => findByPlaybackId.get(playbackId) as StreamRow | undefined,
    list({ kind, parentId, ids, record, beforeSeq, limit }) {
      const where = [
        'deleted_at IS NULL AND seq < ?',
        ...(kind === 'streams' ? ['parent_id IS NULL'] : kind === 'sessions' ? ['parent_id IS NOT NULL'] : []),
        ...(parentId === undefined ? [] : ['parent_id = ?']),
        ...(ids === undefined ? [] : ['id IN (SELECT value FROM json_each(?))']),
        ...(record === true ? ['record = 1'] : []),
      ].join(' AND ');
      let query = lists.get(where);
      if (query === undefined) {
        query = db.prepare(`SELECT ${streamColumns} FROM stream WHERE ${where} ORDER BY seq DESC LIMIT ?`);
        lists.set(where, query);
      }
      const values: SQLInputValue[] = [
        beforeSeq,
        ...(parentId === undefined ? [] : [parentId]),
        ...(ids === undefined ? [] : [JSON.stringify(ids)]),
        limit,
      ];
      return query.all(...values) as unknown as StreamRow[];
    },
    update(id, { name = null, profiles = null, record = null, suspended = null, multistream = null }) {
      update.run({ id, name, profiles, record, suspended, multistream });
    },
    setKey(id, sealedKey, keyHash) {
      setKey.run(sealedKey, keyHash, id);
    },
    renewKey(id, { sealedKey, keyHash, at }) {
      if (isKeyTaken.get({ hash: keyHash }) !== undefined) return false;
      rememberKey.run(at, id);
      setKey.run(sealedKey, keyHash, id);
      return true;
    },
    delete(id, at) {
      erase.run({ id, at });
      forgetHold.run(id);
      forgetChoice.run(id);
    },
  };
}
