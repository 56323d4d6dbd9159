import type { ServiceNotice } from '../../shared/model/service-notice.ts';
import type { Session } from '../../shared/model/session.ts';
import type { NewStream, Stream, StreamChanges } from '../../shared/model/stream.ts';
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
import { createShownStreams } from './shown-streams.ts';
import type { StreamNews } from './stream-change.ts';
import { createStreamChecks } from './stream-checks.ts';
import { formatCursor, parseCursor } from './stream-cursor.ts';
import { createStreamKeys } from './stream-keys.ts';
import { formatSession, formatStream, type KeylessStream } from './stream-object.ts';
import { createTerminatePause } from './terminate-pause.ts';

/** Which stream objects to list. */
export interface StreamQuery {
  kind: 'all' | 'streams' | 'sessions';
  activeOnly: boolean;
  limit: number;
  /** It matches `cursorPattern`. */
  cursor?: string | undefined;
}

/** Which sessions to list. */
export interface SessionQuery {
  limit: number;
  /** It matches `cursorPattern`. */
  cursor?: string | undefined;
  record?: boolean;
}

/** One page of a list, newest first; `nextCursor` if there are more. */
export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** An outside caller, by the name of its API key. */
export interface KeyHolder {
  tokenName: string;
}

/** The result of looking up a stream key; `old-key` means one that the stream had before its current one. */
export type KeyLookup = { kind: 'found' | 'old-key' | 'suspended'; stream: KeylessStream } | { kind: 'unknown' };

/**
 * The streams of this service and their sessions. The public interface and the app's own screens both call this.
 *
 * Every call with an id throws a `ServiceError` NOT_FOUND if that is unknown or deleted. Calls that return a promise write the
 * store: if it refuses for about a second they reject with UNAVAILABLE and change nothing. No other call writes.
 */
export interface Streams {
  /** @throws {ServiceError} INVALID_INPUT or CONFLICTING_INPUT when the profiles cannot be combined */
  create(input: NewStream, by?: KeyHolder): Promise<Stream>;
  /** A stream with its key, or a session. */
  get(id: string): Readonly<Stream | Session>;
  /** A stream without its key; NOT_FOUND for a session's id. */
  getKeyless(streamId: string): KeylessStream;
  /** Like {@link Streams.getKeyless}, but undefined instead of NOT_FOUND. */
  findKeyless(streamId: string): KeylessStream | undefined;
  list(query: StreamQuery): Page<Stream | Session>;
  /** Every stream, newest first, without keys. */
  listKeyless(): KeylessStream[];
  /** The sessions of one stream, or of all if undefined, newest first. `record`: only those whose `record` is true. */
  listSessions(streamId: string | undefined, query: SessionQuery): Page<Session>;
  /** How sessions ended. */
  readonly ends: SessionEnds;
  /** @throws {ServiceError} IS_SESSION, STREAM_ACTIVE for `profiles` and `record` on air, and as {@link Streams.create}. */
  update(id: string, edits: StreamChanges, by?: KeyHolder): Promise<void>;
  /** Deletes a stream: refuses its key from now on and ends its running session. @throws {ServiceError} IS_SESSION */
  delete(id: string, by?: KeyHolder): Promise<void>;
  /** Ends the running session; the stream stays usable. @throws {ServiceError} IS_SESSION, or TOO_MANY_REQUESTS within 5 s */
  terminate(id: string, by?: KeyHolder): void;
  revealKey(streamId: string): string;
  /** Replaces the key: the old one is refused from now on, and a publisher that is not ours is disconnected. */
  renewKey(streamId: string): Promise<void>;
  /** Looks up a key by its keyed hash, so that the time it takes reveals nothing about any key. */
  findByStreamKey(streamKey: string): KeyLookup;
  findByPlaybackId(playbackId: string): KeylessStream | undefined;
  /** Stream keys that were replaced since the start, of streams that still exist. */
  readonly notices: readonly ServiceNotice[];
  /** Called when `notices` has changed. */
  onNotice(listener: () => void): () => void;
}

/** Longer than any key; longer texts are not worth hashing. */
const maxKeyLength = 200;

/** Opens the streams of a store. Keys sealed with another master key are replaced, with a notice. */
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
  changes: StreamNews;
  clock: Clock;
  log: Logger;
  newIds: NewIds;
  live: () => LiveControl;
}): Promise<Streams> {
  // An embedded service has a single account.
  const userId = settings.findOrSet('userId', newIds.id);
  const keys = await createStreamKeys({ table, writer, settings, sealer, newIds, log });
  const rows = createCurrentRows(table, ledger);
  const shown = createShownStreams({ changes, ledger, clock });
  const { getRow, getStreamRow, getChangeableRow, checkEdits } = createStreamChecks(rows, live);
  const noteTermination = createTerminatePause(clock);

  const keyless = (row: StreamRow) => formatStream(row, userId);
  const showStream = (row: StreamRow): Stream => ({ ...keyless(row), streamKey: keys.reveal(row) });
  const showSession = (row: StreamRow): Session => formatSession(row, userId);
  const show = (row: StreamRow) => (row.parentId === null ? showStream(row) : showSession(row));

  const listRows = ({ cursor, ...filter }: Omit<RowFilter, 'beforeSeq'> & { cursor?: string | undefined }) => {
    const found = rows.list({ ...filter, limit: filter.limit + 1, beforeSeq: parseCursor(cursor) });
    const last = found.length > filter.limit ? found[filter.limit - 1] : undefined;
    return { found: found.slice(0, filter.limit), ...(last !== undefined && { nextCursor: formatCursor(last.seq) }) };
  };

  return {
    get notices() {
      return keys.notices;
    },
    onNotice: keys.onNotice,

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
          // Read in the transaction: another caller may delete it while this one waits for the disk.
          if (stored) return showStream(getRow(id));
        }
      };
      return writer.write(insert, ({ id: streamId }) => changes.emit({ kind: 'created', streamId }));
    },
    get(id) {
      const known = shown.find(id);
      if (known !== undefined) return known;
      const object = show(getRow(id));
      if ('streamKey' in object) shown.keep(object);
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
      return { items: found.map(showSession), ...page };
    },
    ends: createSessionEnds(rows, ledger),
    async update(id, edits, by) {
      checkEdits(id, edits);
      const update = () => {
        // Check again: the stream may have gone on air while waiting for the store.
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
        // Stored first, so that the key is refused before its publisher is disconnected.
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
        keys.forget(id);
        changes.emit({ kind: 'deleted', streamId: id });
        live().endSession(id, { reason: 'deleted', by: by?.tokenName });
      });
    },
    terminate(id, by) {
      // A broadcast can be ended though the store can't be read.
      if (!live().isLive(id)) getChangeableRow(id);
      noteTermination(id);
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
