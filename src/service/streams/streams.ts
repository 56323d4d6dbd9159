import { ServiceError } from '../../shared/errors.ts';
import type { Session } from '../../shared/model/session.ts';
import type { NewStream, Stream, StreamChanges as StreamEdits } from '../../shared/model/stream.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { SettingTable } from '../store/setting-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { StreamRow, StreamTable } from '../store/stream-table.ts';
import { createCurrentRows, type RowFilter } from './current-rows.ts';
import type { LiveControl } from './live-control.ts';
import type { NewIds } from './new-ids.ts';
import { checkProfiles } from './profile-check.ts';
import { createSessionEnds, type SessionEnds } from './session-ends.ts';
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

/** Who calls from outside: the name of its API key. */
export interface Caller {
  tokenName: string;
}

/** What a stream key leads to; `old-key`: one that the stream had before its present one. */
export type KeyLookup = { kind: 'found' | 'old-key' | 'suspended'; stream: KeylessStream } | { kind: 'unknown' };

/**
 * The streams of this service and their sessions: what the public interface and the app's own screens both call.
 *
 * Every call that names an id throws a {@link ServiceError} NOT_FOUND for one that is unknown or deleted. Calls that answer a
 * promise write the store: where it refuses for about a second they reject with UNAVAILABLE, and nothing has changed. No other
 * call writes.
 */
export interface Streams {
  /** @throws {ServiceError} INVALID_INPUT or CONFLICTING_INPUT when the profiles do not go together. */
  create(input: NewStream, by?: Caller): Promise<Stream>;
  /** A stream with its key, or a session. */
  get(id: string): Readonly<Stream | Session>;
  /** A stream without its key; a session's id is NOT_FOUND. */
  getKeyless(streamId: string): KeylessStream;
  /** As {@link Streams.getKeyless}, but undefined for what is NOT_FOUND. */
  findKeyless(streamId: string): KeylessStream | undefined;
  list(query: StreamQuery): Page<Stream | Session>;
  /** Every stream, newest first, without keys. */
  listKeyless(): KeylessStream[];
  /** The sessions of one stream, or of all when none is named, newest first. `record`: only those that were recorded. */
  listSessions(streamId: string | undefined, query: SessionQuery): Page<Session>;
  /** How sessions ended. */
  readonly ends: SessionEnds;
  /** @throws {ServiceError} IS_SESSION, STREAM_ACTIVE for `profiles` and `record` on air, and as {@link Streams.create}. */
  update(id: string, edits: StreamEdits, by?: Caller): Promise<void>;
  /** Refuses the key from here on, cuts a running broadcast. @throws {ServiceError} IS_SESSION */
  delete(id: string, by?: Caller): Promise<void>;
  /** Cuts a running broadcast; the stream stays usable. @throws {ServiceError} IS_SESSION, TOO_MANY_REQUESTS within 5 s */
  terminate(id: string, by?: Caller): void;
  revealKey(streamId: string): string;
  /** Makes a new key: the old one is refused from then on, and an encoder that is not our own is sent away. */
  renewKey(streamId: string): Promise<void>;
  /** Looked up by its keyed hash, so that the time it takes tells nothing of any key. */
  findByStreamKey(streamKey: string): KeyLookup;
  findByPlaybackId(playbackId: string): KeylessStream | undefined;
  onChange(listener: (change: StreamChange) => void): () => void;
  /** What the user ought to know since start-up, a sentence each. */
  readonly notices: readonly string[];
}

const terminatePauseMs = 5_000;
/** How many streams are kept ready to be shown: those that programs poll. */
const maxShown = 1_000;
/** Longer than any key; what is beyond is not worth hashing. */
const maxKeyLength = 200;

/** Opens the streams of a store. Keys sealed with another master key are issued anew, and it is said in `notices`. */
export async function openStreams({
  table,
  writer,
  settings,
  sealer,
  ledger,
  changes,
  clock,
  log,
  newIds,
  live,
}: {
  table: StreamTable;
  writer: StoreWriter;
  settings: SettingTable;
  sealer: Sealer;
  ledger: SessionLedger;
  changes: StreamChanges;
  clock: Clock;
  log: Logger;
  newIds: NewIds;
  live: () => LiveControl;
}): Promise<Streams> {
  // The one account of an embedded service.
  const userId = settings.findOrSet('userId', newIds.id);
  const keys = await createStreamKeys({ table, writer, settings, sealer, newIds, log });
  const rows = createCurrentRows(table, ledger);

  const keyless = (row: StreamRow) => formatStream(row, userId);
  const show = (row: StreamRow): Stream | Session =>
    row.parentId === null ? { ...keyless(row), streamKey: keys.reveal(row) } : formatSession(row, userId);

  // Polled streams are answered from here: no other process writes streams, and every change is told.
  const shown = new Map<string, { stream: Readonly<Stream>; untilMs: number }>();
  changes.on(({ streamId }) => shown.delete(streamId));
  const remember = (stream: Readonly<Stream>) => {
    const [oldest] = shown.keys();
    if (shown.size >= maxShown && oldest !== undefined) shown.delete(oldest);
    const untilMs = stream.isActive ? ledger.activeUntilMs(stream.id) : undefined;
    shown.set(stream.id, { stream, untilMs: untilMs ?? Number.POSITIVE_INFINITY });
  };

  const getRow = (id: string): StreamRow => {
    const row = rows.find(id);
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

  const listRows = ({ cursor, ...filter }: Omit<RowFilter, 'beforeSeq'> & { cursor?: string | undefined }) => {
    const found = rows.list({ ...filter, limit: filter.limit + 1, beforeSeq: parseCursor(cursor) });
    const last = found.length > filter.limit ? found[filter.limit - 1] : undefined;
    return { found: found.slice(0, filter.limit), ...(last !== undefined && { nextCursor: formatCursor(last.seq) }) };
  };

  /** The stream, if it can be changed so. */
  const checkEdits = (id: string, edits: StreamEdits) => {
    const row = getChangeableRow(id);
    if (Object.values(edits).every((value) => value === undefined)) {
      throw new ServiceError('INVALID_INPUT', 'body: must name at least one property to change');
    }
    checkProfiles(edits.profiles);
    if (edits.profiles === undefined && edits.record === undefined) return;
    if (row.isActive !== 1 && !live().isLive(id)) return;
    const when = row.isActive === 1 ? 'while the stream is on air' : 'once an encoder has connected';
    throw new ServiceError('STREAM_ACTIVE', `Profiles and recording cannot change ${when}: stop it first.`);
  };
  const terminatedAt = new Map<string, number>();

  return {
    notices: keys.notices,
    onChange: (listener) => changes.on(listener),

    async create({ name, profiles }, by) {
      checkProfiles(profiles);
      const insert = () => {
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
          if (stored) return id;
        }
      };
      const id = await writer.write(insert, (streamId) => changes.emit({ kind: 'created', streamId }));
      return show(getRow(id)) as Stream;
    },
    get(id) {
      const known = shown.get(id);
      if (known !== undefined && clock.monotonicMs() <= known.untilMs) return known.stream;
      const object = show(getRow(id));
      if ('streamKey' in object) remember(object);
      return object;
    },
    getKeyless: (streamId) => keyless(getStreamRow(streamId)),
    findKeyless(streamId) {
      const row = rows.find(streamId);
      return row?.parentId === null ? keyless(row) : undefined;
    },
    list(query) {
      const { found, ...page } = listRows(query);
      return { items: found.map(show), ...page };
    },
    listKeyless: () =>
      rows.list({ kind: 'streams', activeOnly: false, beforeSeq: parseCursor(undefined), limit: -1 }).map(keyless),
    listSessions(streamId, query) {
      if (streamId !== undefined) getRow(streamId);
      const { found, ...page } = listRows({ kind: 'sessions', activeOnly: false, parentId: streamId, ...query });
      return { items: found.map((row) => formatSession(row, userId)), ...page };
    },
    ends: createSessionEnds(rows, ledger),
    async update(id, edits, by) {
      checkEdits(id, edits);
      const update = () => {
        // Again, since the stream may have gone on air while the store was waited for.
        checkEdits(id, edits);
        table.update(id, {
          ...(edits.name !== undefined && { name: edits.name }),
          ...(edits.profiles !== undefined && { profiles: JSON.stringify(edits.profiles) }),
          ...(edits.record !== undefined && { record: Number(edits.record) }),
          ...(edits.suspended !== undefined && { suspended: Number(edits.suspended) }),
          ...(edits.multistream !== undefined && { multistream: JSON.stringify(edits.multistream) }),
        });
      };
      await writer.write(update, () => {
        changes.emit({ kind: 'changed', streamId: id });
        // Stored first, so that the key is refused before its publisher is.
        if (edits.suspended === true) live().endSession(id, { reason: 'suspended', by: by?.tokenName });
      });
    },
    async delete(id, by) {
      getChangeableRow(id);
      const remove = () => {
        getChangeableRow(id);
        table.delete(id, clock.now());
      };
      await writer.write(remove, () => {
        changes.emit({ kind: 'deleted', streamId: id });
        live().endSession(id, { reason: 'deleted', by: by?.tokenName });
      });
    },
    terminate(id, by) {
      getChangeableRow(id);
      const now = clock.monotonicMs();
      for (const [each, at] of terminatedAt) if (now >= at + terminatePauseMs) terminatedAt.delete(each);
      if (terminatedAt.has(id)) {
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          'This stream was terminated less than 5 seconds ago: wait before doing it again.',
        );
      }
      terminatedAt.set(id, now);
      live().endSession(id, { reason: 'terminated', by: by?.tokenName });
    },
    revealKey: (streamId) => keys.reveal(getStreamRow(streamId)),
    async renewKey(streamId) {
      getStreamRow(streamId);
      const renew = () => {
        getStreamRow(streamId);
        while (!table.renewKey(streamId, { ...keys.issue(streamId), at: clock.now() }));
      };
      await writer.write(renew, () => {
        changes.emit({ kind: 'changed', streamId });
        live().sendPublisherAway(streamId, { code: 'key-renewed' });
      });
    },
    findByStreamKey(streamKey) {
      if (streamKey.length > maxKeyLength) return { kind: 'unknown' };
      const hash = sealer.hash(streamKey);
      const reissued = keys.findReissued(hash);
      const row = reissued === undefined ? rows.findByKeyHash(hash) : rows.find(reissued);
      if (row === undefined) {
        const renewed = rows.findByOldKeyHash(hash);
        return renewed === undefined ? { kind: 'unknown' } : { kind: 'old-key', stream: keyless(renewed) };
      }
      if (reissued === undefined && keys.isReplaced(row.id)) return { kind: 'unknown' };
      return { kind: row.suspended === 1 ? 'suspended' : 'found', stream: keyless(row) };
    },
    findByPlaybackId(playbackId) {
      const row = rows.findByPlaybackId(playbackId);
      return row === undefined ? undefined : keyless(row);
    },
  };
}
