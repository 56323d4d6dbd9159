import { randomBytes } from 'node:crypto';
import { formatSecretsLocation } from '../../shared/format-secrets-location.ts';
import type { SecretStore, SecretsLocation } from '../ports.ts';
import { locationOf, missingKey, readLocation, throwUnreadable } from './missing-key.ts';
import { createSealer, masterKeyBytes, type Sealer } from './sealer.ts';
import { keychainError, SecretStoreError } from './secret-store-error.ts';
import { openSecretStore, parseSecretsLocation } from './secrets-location.ts';

/** Identifies the master key that sealed a data folder's secrets. */
export interface SealedWith {
  /** Its location, as `formatSecretsLocation` writes it; only `file` if an earlier version stored it. */
  location: string;
  /** {@link Sealer.keyCheck} of its sealer. */
  keyCheck: string;
}

/** A text that a {@link Sealer} has sealed. */
export interface SealedText {
  bytes: Uint8Array;
  owner: string;
}

/** The sealers of a data folder. */
export interface OpenedSealers {
  sealer: Sealer;
  /** Opens the sealed secrets if `sealer` can't, because the user has moved to another secret store: seal them again with `sealer`. */
  earlier?: Sealer;
}

/** The prefix of our entries' names in a secret store. */
const entryPrefix = 'master-key ';

/**
 * Opens the sealer of one data folder. Its 256-bit master key is one entry of the secret store, named after the folder's id so that
 * two folders never share or overwrite one, and created if there is none.
 *
 * A key in a process's memory ends with it, and secrets that it sealed are lost. Any other key in use is never replaced: it is either
 * found, in this store or in the previous one, or the call fails. Only a move to memory gives it up; to give it up otherwise, the caller
 * passes a new `dataFolderId`.
 *
 * @param options.sealedWith the key in use; undefined for a new data folder, or if a damaged store has lost this record
 * @param options.sealed the sealed secrets, to recognise a key in use whose record the store has lost
 * @param options.openSecrets opens the store that it was in before
 * @throws {ServiceError} what `secrets` throws, KEYCHAIN_UNAVAILABLE if it does not keep its values; instead of
 *   KEYCHAIN_UNAVAILABLE, MASTER_KEY_MISSING if a key is in use that would be given up without a keychain
 */
export async function openSealer(
  secrets: SecretStore,
  dataFolderId: string,
  {
    sealedWith,
    sealed = [],
    openSecrets = openSecretStore,
  }: {
    sealedWith?: SealedWith | undefined;
    sealed?: readonly SealedText[];
    openSecrets?: ((location: SecretsLocation) => SecretStore) | undefined;
  } = {},
): Promise<OpenedSealers> {
  const name = `${entryPrefix}${dataFolderId}`;
  const isReplaceable =
    secrets.kind === 'memory' || (sealedWith === undefined ? sealed.length === 0 : sealedWith.location === 'memory');
  if (isReplaceable) return { sealer: createSealer((await findKey(secrets, name)) ?? (await makeKey(secrets, name))) };
  if (sealedWith === undefined) return { sealer: await openLostSealer(secrets, name, sealed) };
  const { location, keyCheck } = sealedWith;
  if (location === formatSecretsLocation(secrets)) return { sealer: await openSealerInUse(secrets, name, keyCheck) };
  try {
    const found = await findSealer(secrets, name);
    // The same key file at another path, or one whose path an earlier version did not store.
    if (found?.keyCheck === keyCheck) return { sealer: found };
    const earlier = await openEarlierSealer(location, { openSecrets, name, keyCheck });
    return { sealer: found ?? createSealer(await makeKey(secrets, name)), earlier };
  } catch (error) {
    throwUnreadable(error, (because) => ({
      code: 'key-immovable',
      from: readLocation(location),
      to: locationOf(secrets),
      because,
    }));
  }
}

/** The sealer of the key in use, from the store where it has always been. */
async function openSealerInUse(secrets: SecretStore, name: string, keyCheck: string): Promise<Sealer> {
  const isInUse = (sealer: Sealer) => sealer.keyCheck === keyCheck;
  const at = locationOf(secrets);
  const find = async () => (await findSealer(secrets, name)) ?? (await findUnderOtherName(secrets, name, isInUse));
  const found = await find().catch((error: unknown) =>
    throwUnreadable(error, (because) => ({ code: 'key-missing', at, because })),
  );
  if (found && isInUse(found)) return found;
  // A locked keychain looks like one without a key. A new key would replace the old one and lose everything sealed with it.
  throw missingKey({ code: found === undefined ? 'key-missing' : 'key-replaced', at });
}

/** The sealer of a key in use whose record and name a damaged store has lost: the key in `secrets` that opens the sealed secrets. */
async function openLostSealer(secrets: SecretStore, name: string, sealed: readonly SealedText[]): Promise<Sealer> {
  const at = locationOf(secrets);
  try {
    const opens = (sealer: Sealer) => sealed.some(({ bytes, owner }) => sealer.open(bytes, owner) !== undefined);
    const found = await findSealer(secrets, name);
    if (found !== undefined && opens(found)) return found;
    const other = await findUnderOtherName(secrets, name, opens);
    if (other !== undefined) return other;
  } catch (error) {
    throwUnreadable(error, (because) => ({ code: 'key-location-lost', at, because }));
  }
  throw missingKey({ code: 'key-location-lost', at });
}

/** Looks through all our entries in a keychain, and keeps the key under `name`: a damaged store may have lost the folder's id. */
async function findUnderOtherName(
  secrets: SecretStore,
  name: string,
  isWanted: (sealer: Sealer) => boolean,
): Promise<Sealer | undefined> {
  for (const key of ((await secrets.findAll?.(entryPrefix)) ?? []).map(parseKey)) {
    if (key === undefined) continue;
    const sealer = createSealer(key);
    if (!isWanted(sealer)) continue;
    await keepKey(secrets, name, key);
    return sealer;
  }
  return undefined;
}

/** The sealer of the key in use, from the store that the user has moved away from. */
async function openEarlierSealer(
  location: string,
  { openSecrets, name, keyCheck }: { openSecrets: (location: SecretsLocation) => SecretStore; name: string; keyCheck: string },
): Promise<Sealer> {
  const parsed = parseSecretsLocation(location);
  if (parsed === undefined) throw missingKey({ code: 'earlier-key-unnamed' });
  const store = openSecrets(parsed);
  const at = locationOf(store);
  let found: Sealer | undefined;
  try {
    found = await findSealer(store, name);
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error;
    throw missingKey({ code: 'earlier-key-missing', at, because: error.fault }, error);
  }
  if (found?.keyCheck !== keyCheck) throw missingKey({ code: 'earlier-key-missing', at });
  return found;
}

async function findSealer(secrets: SecretStore, name: string): Promise<Sealer | undefined> {
  const key = await findKey(secrets, name);
  return key && createSealer(key);
}

async function findKey(secrets: SecretStore, name: string): Promise<Buffer | undefined> {
  return parseKey(await secrets.find(name));
}

function parseKey(text: string | undefined): Buffer | undefined {
  const key = text === undefined ? undefined : Buffer.from(text, 'base64');
  return key?.length === masterKeyBytes ? key : undefined;
}

async function makeKey(secrets: SecretStore, name: string): Promise<Buffer> {
  const made = randomBytes(masterKeyBytes);
  await keepKey(secrets, name, made);
  return made;
}

async function keepKey(secrets: SecretStore, name: string, key: Buffer): Promise<void> {
  await secrets.set(name, key.toString('base64'));
  // A keychain that does not keep its values would lose every key sealed from now on.
  const kept = await findKey(secrets, name);
  if (kept?.equals(key)) return;
  throw keychainError({ code: 'entry-not-kept' });
}
