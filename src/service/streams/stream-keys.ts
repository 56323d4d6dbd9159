import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../ports.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { SettingTable } from '../store/setting-table.ts';
import type { StreamRow, StreamTable } from '../store/stream-table.ts';
import { inTransaction } from '../store/transaction.ts';
import type { NewIds } from './new-ids.ts';

/** Issues stream keys and opens sealed ones. */
export interface StreamKeys {
  /** A new key for the stream with this id, as it is stored. */
  issue(streamId: string): { sealedKey: Uint8Array; keyHash: Uint8Array };
  /** The key of a stored stream. One that cannot be opened is replaced by a new one, and a notice says so. */
  reveal(row: StreamRow): string;
  /** What the user ought to know of their keys, a sentence each; grows when a key is replaced. */
  readonly notices: readonly string[];
}

/** Opens the keys of a store; when the master key is not the one they were sealed with, every stream gets a new key. */
export function createStreamKeys({
  db,
  table,
  settings,
  sealer,
  newIds,
  log,
}: {
  db: DatabaseSync;
  table: StreamTable;
  settings: SettingTable;
  sealer: Sealer;
  newIds: NewIds;
  log: Logger;
}): StreamKeys {
  const seal = (streamId: string, streamKey: string) => ({
    sealedKey: sealer.seal(streamKey, streamId),
    keyHash: sealer.hash(streamKey),
  });
  const reissue = (streamId: string): string => {
    const streamKey = newIds.streamKey();
    const { sealedKey, keyHash } = seal(streamId, streamKey);
    table.setKey(streamId, sealedKey, keyHash);
    return streamKey;
  };
  const notices: string[] = [];
  const notify = (notice: string) => {
    notices.push(notice);
    log.warn(notice);
  };
  const reissued = inTransaction(db, () => reissueAll({ table, settings, sealer, reissue }));
  if (reissued > 0) {
    const what = reissued === 1 ? 'The stream has a new stream key' : `All ${reissued} streams have new stream keys`;
    notify(`${what}, since the key that sealed the old is no longer there: copy them to your encoders again.`);
  }
  return {
    issue: (streamId) => seal(streamId, newIds.streamKey()),
    reveal(row) {
      const opened = row.sealedKey === null ? undefined : sealer.open(row.sealedKey, row.id);
      if (opened !== undefined) return opened;
      const streamKey = reissue(row.id);
      notify(`The stream key of "${row.name}" could not be opened, so it has a new one: copy it to your encoder again.`);
      return streamKey;
    },
    notices,
  };
}

const keyCheckSetting = 'masterKeyCheck';

/** How many keys were issued anew: those of all streams when the master key is another than last time, else none. */
function reissueAll({
  table,
  settings,
  sealer,
  reissue,
}: {
  table: StreamTable;
  settings: SettingTable;
  sealer: Sealer;
  reissue: (streamId: string) => string;
}): number {
  if (settings.find(keyCheckSetting) === sealer.keyCheck) return 0;
  const streams = table.list({ kind: 'streams', activeOnly: false, beforeSeq: Number.MAX_SAFE_INTEGER, limit: -1 });
  for (const { id } of streams) reissue(id);
  settings.set(keyCheckSetting, sealer.keyCheck);
  return streams.length;
}
