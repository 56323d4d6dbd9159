import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../shared/errors.ts';
import type { EndReason } from '../../shared/model/live.ts';
import type { Session } from '../../shared/model/session.ts';
import type { NewStream, Stream, StreamChanges as StreamEdits } from '../../shared/model/stream.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { SettingTable } from '../store/setting-table.ts';
import type { ListFilter, StreamRow, StreamTable } from '../store/stream-table.ts';
import { inTransaction } from '../store/transaction.ts';
import type { LiveControl } from './live-control.ts';
import type { NewIds } from './new-ids.ts';
import { checkProfiles } from './profile-check.ts';
import type { SessionLedger } from './session-ledger.ts';
import type { StreamChange, StreamChanges } from './stream-change.ts';
import { formatCursor, parseCursor } from './stream-cursor.ts';
import { createStreamKeys } from './stream-keys.ts';
import { formatSession, formatStream, type KeylessStream } from './stream-object.ts';

/** Which stream objects a list holds. */
export interface StreamQuery {
  kind: 'all' | 'streams' | 'sessions';
  activeOnly: boolean;
  limit: number;
  cursor?: string | undefined;
}

/** Which sessions a list holds. */
export interface SessionQuery {
  limit: number;
  cursor?: string | undefined;
  record?: boolean;
}

/** One page of a list, newest first; `nextCursor` when more follow. */
export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** What a stream key leads to. */
export type KeyLookup = { kind: 'found'; stream: KeylessStream } | { kind: 'suspended' } | { kind: 'unknown' };

/**
 * The streams of this service and their sessions: what the public interface and the app's own screens both call.
 *
 * Every call that names an id throws a {@link ServiceError} NOT_FOUND for one that is unknown or deleted.
 */
export interface Streams {
  /** @throws {ServiceError} INVALID_INPUT or CONFLICTING_INPUT when the profiles do not go together. */
  create(input: NewStream, by?: { tokenName: string }): Stream;
  /** A stream with its key, or a session. */
  get(id: string): Readonly<Stream | Session>;
  /** A stream without its key; a session's id is NOT_FOUND. */
  getKeyless(streamId: string): KeylessStream;
  list(query: StreamQuery): Page<Stream | Session>;
  /** Every stream, newest first, without keys. */
  listKeyless(): KeylessStream[];
  /** The sessions of one stream, or of all when none is named, newest first. `record`: only those that were recorded. */
  listSessions(streamId: string | undefined, query: SessionQuery): Page<Session>;
  /** Why the session ended; undefined while it runs. */
  findEnd(sessionId: string): { at: number; reason: EndReason } | undefined;
  /** @throws {ServiceError} IS_SESSION, STREAM_ACTIVE for `profiles` and `record` on air, and as {@link Streams.create}. */
  update(id: string, edits: StreamEdits): void;
  /** Refuses the key from here on, cuts a running broadcast. @throws {ServiceError} IS_SESSION */
  delete(id: string): void;
  /** Cuts a running broadcast; the stream stays usable. @throws {ServiceError} IS_SESSION, TOO_MANY_REQUESTS within 5 s */
  terminate(id: string): void;
  revealKey(streamId: string): string;
  /** Looked up by its keyed hash, so that the time it takes tells nothing of any key. */
  findByStreamKey(streamKey: string): KeyLookup;
  findByPlaybackId(playbackId: string): KeylessStream | undefined;
  onChange(listener: (change: StreamChange) => void): () => void;
  /** What the user ought to know since start-up, a sentence each. */
  readonly notices: readonly string[];
}

/** An active stream not seen for this long is reported, and stored, as inactive. */
const staleAfterMs = 90_000;
const terminatePauseMs = 5_000;
/** How many streams are kept ready to be shown: those that programs poll. */
const maxShown = 1_000;
/** Longer than any key; what is beyond is not worth hashing. */
const maxKeyLength = 200;

/** Opens the streams of a store. Keys sealed with another master key are issued anew, and it is said in `notices`. */
export function openStreams({
  db,
  table,
  settings,
  sealer,
  ledger,
  changes,
  clock,
  log,
  newIds,
  live,
}: {
  db: DatabaseSync;
  table: StreamTable;
  settings: SettingTable;
  sealer: Sealer;
  ledger: SessionLedger;
  changes: StreamChanges;
  clock: Clock;
  log: Logger;
  newIds: NewIds;
  live: () => LiveControl;
}): Streams {
  // The one account of an embedded service.
  const userId = settings.findOrSet('userId', newIds.id);
  const keys = createStreamKeys({ db, table, settings, sealer, newIds, log });

  /** The row with what is not on disk yet, and stale activity healed. */
  const refresh = (row: StreamRow): StreamRow => {
    const pending = ledger.findPending(row.id);
    const lastSeen = Math.max(row.lastSeen, pending?.lastSeen ?? 0);
    if (row.isActive === 1 && lastSeen < clock.now() - staleAfterMs) {
      table.deactivateStale(clock.now() - staleAfterMs);
      return { ...row, isActive: 0 };
    }
    if (pending === undefined) return row;
    return {
      ...row,
      lastSeen,
      sourceSegments: row.sourceSegments + pending.sourceSegments,
      sourceDurationUs: row.sourceDurationUs + pending.sourceDurationUs,
      transcodedSegments: row.transcodedSegments + pending.transcodedSegments,
      transcodedDurationUs: row.transcodedDurationUs + pending.transcodedDurationUs,
    };
  };
  const keyless = (row: StreamRow) => formatStream(refresh(row), userId);
  const show = (row: StreamRow): Stream | Session =>
    row.parentId === null ? { ...keyless(row), streamKey: keys.reveal(row) } : formatSession(refresh(row), userId);

  // Polled streams are answered from here: no other process writes streams, and every change is told.
  const shown = new Map<string, { stream: Readonly<Stream>; until: number }>();
  changes.on(({ streamId }) => shown.delete(streamId));
  const remember = (stream: Readonly<Stream>) => {
    const [oldest] = shown.keys();
    if (shown.size >= maxShown && oldest !== undefined) shown.delete(oldest);
    shown.set(stream.id, { stream, until: stream.isActive ? stream.lastSeen + staleAfterMs : Number.POSITIVE_INFINITY });
  };

  const getRow = (id: string): StreamRow => {
    const row = table.find(id);
    if (row === undefined) throw new ServiceError('NOT_FOUND', 'There is no stream with this id.');
    return row;
  };
  const getStreamRow = (id: string): StreamRow => {
    const row = getRow(id);
    if (row.parentId !== null) throw new ServiceError('NOT_FOUND', 'There is no stream with this id.');
    return row;
  };
  const getChangeableRow = (id: string): StreamRow => {
    const row = getRow(id);
    if (row.parentId !== null) {
      throw new ServiceError('IS_SESSION', `This id names a session, which cannot be changed; its stream is ${row.parentId}.`);
    }
    return row;
  };

  const listRows = ({ cursor, ...filter }: Omit<ListFilter, 'beforeSeq'> & { cursor?: string | undefined }) => {
    if (filter.activeOnly) table.deactivateStale(clock.now() - staleAfterMs);
    const rows = table.list({ ...filter, limit: filter.limit + 1, beforeSeq: parseCursor(cursor) });
    const last = rows.length > filter.limit ? rows[filter.limit - 1] : undefined;
    return { rows: rows.slice(0, filter.limit), ...(last !== undefined && { nextCursor: formatCursor(last.seq) }) };
  };

  return {
    notices: keys.notices,
    onChange: (listener) => changes.on(listener),

    create({ name, profiles }, by) {
      checkProfiles(profiles);
      for (;;) {
        const id = newIds.id();
        const stored = table.insert({
          id,
          name,
          profiles: profiles === undefined ? null : JSON.stringify(profiles),
          createdAt: clock.now(),
          createdByTokenName: by?.tokenName ?? null,
          playbackId: newIds.playbackId(),
          ...keys.issue(id),
        });
        if (!stored) continue;
        changes.emit({ kind: 'created', streamId: id });
        return show(getRow(id)) as Stream;
      }
    },
    get(id) {
      const known = shown.get(id);
      if (known !== undefined && clock.now() <= known.until) return known.stream;
      const object = show(getRow(id));
      if ('streamKey' in object) remember(object);
      return object;
    },
    getKeyless: (streamId) => keyless(getStreamRow(streamId)),
    list(query) {
      const { rows, ...page } = listRows(query);
      return { items: rows.map(show), ...page };
    },
    listKeyless: () =>
      table.list({ kind: 'streams', activeOnly: false, beforeSeq: parseCursor(undefined), limit: -1 }).map(keyless),
    listSessions(streamId, query) {
      if (streamId !== undefined) getRow(streamId);
      const { rows, ...page } = listRows({ kind: 'sessions', activeOnly: false, parentId: streamId, ...query });
      return { items: rows.map((row) => formatSession(refresh(row), userId)), ...page };
    },
    findEnd(sessionId) {
      const row = table.find(sessionId);
      return row === undefined || row.endedAt === null || row.endReason === null
        ? undefined
        : { at: row.endedAt, reason: row.endReason as EndReason };
    },
    update(id, edits) {
      const row = refresh(getChangeableRow(id));
      if (Object.values(edits).every((value) => value === undefined)) {
        throw new ServiceError('INVALID_INPUT', 'body: must name at least one property to change');
      }
      checkProfiles(edits.profiles);
      if ((edits.profiles !== undefined || edits.record !== undefined) && (row.isActive === 1 || live().isLive(id))) {
        throw new ServiceError(
          'STREAM_ACTIVE',
          'Profiles and recording cannot change while the stream is on air: stop it first.',
        );
      }
      table.update(id, {
        ...(edits.name !== undefined && { name: edits.name }),
        ...(edits.profiles !== undefined && { profiles: JSON.stringify(edits.profiles) }),
        ...(edits.record !== undefined && { record: Number(edits.record) }),
        ...(edits.suspended !== undefined && { suspended: Number(edits.suspended) }),
        ...(edits.multistream !== undefined && { multistream: JSON.stringify(edits.multistream) }),
      });
      changes.emit({ kind: 'changed', streamId: id });
      // Stored first, so that the key is refused before its publisher is.
      if (edits.suspended === true) live().endBroadcast(id, 'suspended');
    },
    delete(id) {
      getChangeableRow(id);
      inTransaction(db, () => table.delete(id, clock.now()));
      changes.emit({ kind: 'deleted', streamId: id });
      live().endBroadcast(id, 'deleted');
    },
    terminate(id) {
      const row = getChangeableRow(id);
      const now = clock.now();
      if (row.lastTerminatedAt !== null && now >= row.lastTerminatedAt && now < row.lastTerminatedAt + terminatePauseMs) {
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          'This stream was terminated less than 5 seconds ago: wait before doing it again.',
        );
      }
      table.setLastTerminatedAt(id, now);
      live().endBroadcast(id, 'terminated');
    },
    revealKey: (streamId) => keys.reveal(getStreamRow(streamId)),
    findByStreamKey(streamKey) {
      if (streamKey.length > maxKeyLength) return { kind: 'unknown' };
      const row = table.findByKeyHash(sealer.hash(streamKey));
      if (row === undefined) return { kind: 'unknown' };
      return row.suspended === 1 ? { kind: 'suspended' } : { kind: 'found', stream: keyless(row) };
    },
    findByPlaybackId(playbackId) {
      const row = table.findByPlaybackId(playbackId);
      return row === undefined ? undefined : keyless(row);
    },
  };
}
