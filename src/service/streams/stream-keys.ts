import type { ServiceNotice } from '../../shared/model/service-notice.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';
import type { SealedText } from '../secrets/master-key.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { SettingTable } from '../store/setting-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { StreamRow, StreamTable } from '../store/stream-table.ts';
import type { NewIds } from './new-ids.ts';
import { ReissuedKeys, type SealedKey } from './reissued-keys.ts';

/** Issues stream keys and opens sealed ones. */
export interface StreamKeys {
  /** Creates a new key for the stream with this id, as stored. */
  issue(streamId: string): SealedKey;
  /** The key of a stored stream. If it cannot be opened it is replaced by a new one, with a notice. */
  reveal(row: StreamRow): string;
  /** The stream that has this replaced key, if that is not stored yet. */
  findReissued(keyHash: Uint8Array): string | undefined;
  /** Whether the stored key of a stream is no longer valid. */
  isReplaced(streamId: string): boolean;
  /** The stream was deleted: nobody needs its key any more, nor a notice of it. */
  forget(streamId: string): void;
  /** The keys that were replaced, of streams that still exist. */
  readonly notices: readonly ServiceNotice[];
  /** Called when `notices` has changed. */
  onNotice(listener: () => void): () => void;
}

/**
 * Opens the keys of a store. If the master key is not known to be the one they were sealed with, every stream whose key it doesn't open
 * gets a new one.
 */
export async function createStreamKeys({
  table,
  writer,
  settings,
  sealer,
  newIds,
  log,
}: {
  table: StreamTable;
  writer: StoreWriter;
  settings: SettingTable;
  sealer: Sealer;
  newIds: NewIds;
  log: Logger;
}): Promise<StreamKeys> {
  const issue = (streamId: string, streamKey = newIds.streamKey()) => ({
    streamKey,
    sealedKey: sealer.seal(streamKey, streamId),
    keyHash: sealer.hash(streamKey),
  });
  const replacedTogether = new Set<string>();
  /** The names of streams by their ids. */
  const replacedAlone = new Map<string, string>();
  const noticed = createEventSource<void>();
  if (settings.find(keyCheckSetting) !== sealer.keyCheck) {
    const reissued = await writer.write(() => reissueUnopened({ table, settings, sealer, issue }));
    for (const id of reissued) replacedTogether.add(id);
    if (reissued.length > 0) {
      log.warn({ streams: reissued.length }, 'Stream keys were replaced because the master key is missing.');
    }
  }
  const reissued = new ReissuedKeys(table);
  writer.add(reissued);
  return {
    issue(streamId) {
      const { streamKey: _, ...stored } = issue(streamId);
      return stored;
    },
    reveal(row) {
      const known = reissued.find(row.id) ?? openKey(row, sealer);
      if (known !== undefined) return known;
      const key = issue(row.id);
      reissued.add(row.id, key);
      replacedAlone.set(row.id, row.name);
      noticed.emit();
      log.warn({ streamId: row.id }, 'A stream key could not be decrypted, and was replaced.');
      return key.streamKey;
    },
    findReissued: (keyHash) => reissued.findStreamId(keyHash),
    isReplaced: (streamId) => reissued.find(streamId) !== undefined,
    forget(streamId) {
      const wasTogether = replacedTogether.delete(streamId);
      if (replacedAlone.delete(streamId) || wasTogether) noticed.emit();
    },
    get notices() {
      const { size } = replacedTogether;
      return [
        ...(size === 0 ? [] : [{ code: 'keys-replaced', streams: size } as const]),
        ...[...replacedAlone.values()].map((streamName) => ({ code: 'key-replaced', streamName }) as const),
      ];
    },
    onNotice: noticed.on,
  };
}

/**
 * Seals all stream keys again, for a master key that has moved: they stay the same. Keys that streams had before are no longer
 * recognised as old, because only their hashes are stored. Call it in a transaction.
 */
export function resealStreamKeys(table: StreamTable, from: Pick<Sealer, 'open'>, to: Pick<Sealer, 'seal' | 'hash'>): void {
  for (const row of listStreams(table)) {
    const key = openKey(row, from);
    if (key !== undefined) table.setKey(row.id, to.seal(key, row.id), to.hash(key));
  }
}

/** The setting with the `keyCheck` of the sealer in use. */
export const keyCheckSetting = 'masterKeyCheck';

/** Issues new keys to the streams whose keys don't open; returns their ids. */
function reissueUnopened({
  table,
  settings,
  sealer,
  issue,
}: {
  table: StreamTable;
  settings: SettingTable;
  sealer: Sealer;
  issue: (streamId: string) => SealedKey;
}): string[] {
  const unopened = listStreams(table).filter((row) => openKey(row, sealer) === undefined);
  for (const { id } of unopened) {
    const { sealedKey, keyHash } = issue(id);
    table.setKey(id, sealedKey, keyHash);
  }
  settings.set(keyCheckSetting, sealer.keyCheck);
  return unopened.map(({ id }) => id);
}

/** The stream keys of a store, as they are sealed. */
export function listSealedKeys(table: StreamTable): SealedText[] {
  return listStreams(table).flatMap(({ id, sealedKey }) => (sealedKey === null ? [] : { bytes: sealedKey, owner: id }));
}

function openKey({ id, sealedKey }: StreamRow, sealer: Pick<Sealer, 'open'>): string | undefined {
  return sealedKey === null ? undefined : sealer.open(sealedKey, id);
}

function listStreams(table: StreamTable): StreamRow[] {
  return table.list({ kind: 'streams', beforeSeq: Number.MAX_SAFE_INTEGER, limit: -1 });
}
