import type { ServiceNotice } from '../../shared/model/service-notice.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';
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

/** Opens the keys of a store. If the master key is not the one they were sealed with, every stream gets a new key. */
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
    const reissued = await writer.write(() => reissueAll({ table, settings, sealer, issue }));
    for (const id of reissued) replacedTogether.add(id);
    if (reissued.length > 0) {
      log.warn({ streams: reissued.length }, 'All stream keys were replaced because the master key is missing.');
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
      const opened = row.sealedKey === null ? undefined : sealer.open(row.sealedKey, row.id);
      const known = reissued.find(row.id) ?? opened;
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
  for (const { id, sealedKey } of listStreams(table)) {
    const key = sealedKey === null ? undefined : from.open(sealedKey, id);
    if (key !== undefined) table.setKey(id, to.seal(key, id), to.hash(key));
  }
}

/** The setting with the `keyCheck` of the sealer in use. */
export const keyCheckSetting = 'masterKeyCheck';

/** Issues new keys to all streams; returns their ids. */
function reissueAll({
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
  const streams = listStreams(table);
  for (const { id } of streams) {
    const { sealedKey, keyHash } = issue(id);
    table.setKey(id, sealedKey, keyHash);
  }
  settings.set(keyCheckSetting, sealer.keyCheck);
  return streams.map(({ id }) => id);
}

function listStreams(table: StreamTable): StreamRow[] {
  return table.list({ kind: 'streams', beforeSeq: Number.MAX_SAFE_INTEGER, limit: -1 });
}
