import { randomUUID } from 'node:crypto';
import { ServiceError } from '../shared/errors.ts';
import { formatSecretsLocation } from '../shared/format-secrets-location.ts';
import type { SecretStore, SecretsLocation } from './ports.ts';
import { type OpenedSealers, openSealer, type SealedText, type SealedWith } from './secrets/master-key.ts';
import type { SettingTable } from './store/setting-table.ts';
import type { StoreWriter } from './store/store-writer.ts';
import { keyCheckSetting } from './streams/stream-keys.ts';

/** The location of the master key that sealed this data folder. */
export const masterKeyLocationSetting = 'masterKeyPlace';
const folderIdSetting = 'dataFolderId';

/**
 * Opens the sealers of a store.
 *
 * @param options.listSealed lists the store's sealed secrets
 * @param options.newKey whether the user gives up the key in use if it can't be read. The new one then is in the chosen store under a
 *   new name, since a locked keychain may still have the old one. Sealed secrets are lost, and all streams get new keys
 * @throws {ServiceError} as {@link openSealer}
 */
export async function openMasterKey({
  secrets,
  openSecrets,
  settings,
  listSealed,
  writer,
  newKey,
}: {
  secrets: SecretStore;
  openSecrets: ((location: SecretsLocation) => SecretStore) | undefined;
  settings: SettingTable;
  listSealed: () => readonly SealedText[];
  writer: Pick<StoreWriter, 'write'>;
  newKey: boolean;
}): Promise<OpenedSealers> {
  const folderId = await writer.write(() => settings.findOrSet(folderIdSetting, randomUUID));
  const keyInUse = readKeyInUse(settings, listSealed);
  try {
    return await openSealer(secrets, folderId, { ...keyInUse, openSecrets });
  } catch (error) {
    if (!newKey || !(error instanceof ServiceError) || error.code !== 'MASTER_KEY_MISSING') throw error;
  }
  const newFolderId = randomUUID();
  const opened = await openSealer(secrets, newFolderId);
  await writer.write(() =>
    settings.setAll({
      [folderIdSetting]: newFolderId,
      [masterKeyLocationSetting]: formatSecretsLocation(secrets),
      [keyCheckSetting]: givenUp,
    }),
  );
  return opened;
}

/** Stored as the key check after the user has given up the key in use, until there is a new one. */
const givenUp = '';

function readKeyInUse(
  settings: SettingTable,
  listSealed: () => readonly SealedText[],
): { sealedWith?: SealedWith; sealed?: readonly SealedText[] } {
  const location = settings.find(masterKeyLocationSetting);
  const keyCheck = settings.find(keyCheckSetting);
  if (keyCheck === givenUp) return {};
  return location === undefined || keyCheck === undefined ? { sealed: listSealed() } : { sealedWith: { location, keyCheck } };
}
