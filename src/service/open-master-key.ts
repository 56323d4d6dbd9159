import { randomUUID } from 'node:crypto';
import { ServiceError } from '../shared/errors.ts';
import type { HostPorts } from './ports.ts';
import { type OpenedSealers, openSealer, type SealedWith } from './secrets/master-key.ts';
import { formatSecretsLocation } from './secrets/secrets-location.ts';
import type { SettingTable } from './store/setting-table.ts';
import type { StoreWriter } from './store/store-writer.ts';
import { keyCheckSetting } from './streams/stream-keys.ts';

/** Where the master key is that sealed this data folder. */
export const masterKeyPlaceSetting = 'masterKeyPlace';
const folderIdSetting = 'dataFolderId';

/**
 * Opens the sealers of a store.
 *
 * @param options.newKey whether the user gives the key in use up if it can't be read. The new one then stays in the chosen store, under
 *   a new name: a locked keychain may still have the old one. What was sealed is lost, and all streams get new keys
 * @throws {ServiceError} as {@link openSealer}
 */
export async function openMasterKey({
  secrets,
  openSecrets,
  settings,
  writer,
  newKey,
}: Pick<HostPorts, 'secrets' | 'openSecrets'> & {
  settings: SettingTable;
  writer: Pick<StoreWriter, 'write'>;
  newKey: boolean;
}): Promise<OpenedSealers> {
  const folderId = await writer.write(() => settings.findOrSet(folderIdSetting, randomUUID));
  const sealedWith = readSealedWith(settings);
  try {
    return await openSealer(secrets, folderId, { sealedWith, openSecrets });
  } catch (error) {
    if (!newKey || !(error instanceof ServiceError) || error.code !== 'MASTER_KEY_MISSING') throw error;
  }
  const newFolderId = randomUUID();
  const opened = await openSealer(secrets, newFolderId);
  await writer.write(() =>
    settings.setAll({
      [folderIdSetting]: newFolderId,
      [masterKeyPlaceSetting]: formatSecretsLocation(secrets),
      [keyCheckSetting]: undefined,
    }),
  );
  return opened;
}

function readSealedWith(settings: SettingTable): SealedWith | undefined {
  const location = settings.find(masterKeyPlaceSetting);
  const keyCheck = settings.find(keyCheckSetting);
  return location === undefined || keyCheck === undefined ? undefined : { location, keyCheck };
}
