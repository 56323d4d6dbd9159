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
  /** What the user ought to know of their keys, a sentence each; grows when a key is replaced. */
  readonly notices: readonly string[];
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
  const notices: string[] = [];
  const notify = (notice: string) => {
    notices.push(notice);
    log.warn(notice);
  };
  if (settings.find(keyCheckSetting) !== sealer.keyCheck) {
    const reissued = await writer.write(() => reissueAll({ table, settings, sealer, issue }));
    const what = reissued === 1 ? 'The stream has a new stream key' : `All ${reissued} streams have new stream keys`;
    if (reissued > 0) {
      notify(`${what}, because the key that sealed the old is gone: copy them to your encoders again.`);
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
      notify(`The stream key of "${row.name}" could not be opened, so it has a new one: copy it to your encoder again.`);
      return key.streamKey;
    },
    findReissued: (keyHash) => reissued.findStreamId(keyHash),
    isReplaced: (streamId) => reissued.find(streamId) !== undefined,
    notices,
  };
}

const keyCheckSetting = 'masterKeyCheck';

/** Issues new keys to all streams; returns how many there were. */
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
}): number {
  const streams = table.list({ kind: 'streams', beforeSeq: Number.MAX_SAFE_INTEGER, limit: -1 });
  for (const { id } of streams) {
    const { sealedKey, keyHash } = issue(id);
    table.setKey(id, sealedKey, keyHash);
  }
  settings.set(keyCheckSetting, sealer.keyCheck);
  return streams.length;
}
