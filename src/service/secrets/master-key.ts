import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore, SecretsLocation } from '../ports.ts';
import { createSealer, masterKeyBytes, type Sealer } from './sealer.ts';
import { formatSecretsLocation, openSecretStore, parseSecretsLocation } from './secrets-location.ts';

/** The master key that sealed what a data folder holds. */
export interface SealedWith {
  /** Where it is, as `formatSecretsLocation` says it; `file` alone if an earlier version stored it. */
  location: string;
  /** {@link Sealer.keyCheck} of its sealer. */
  keyCheck: string;
}

/** The sealers of a data folder. */
export interface OpenedSealers {
  sealer: Sealer;
  /** Opens what is sealed now, if `sealer` doesn't: seal that again, because the user has moved to another secret store. */
  earlier?: Sealer;
}

/**
 * Opens the sealer of one data folder. Its 256-bit master key is one entry of the secret store, named after the folder's id so that
 * two folders never share or overwrite one, and created if there is none.
 *
 * A key in the memory of a process ends with it, so what it sealed is lost. Another key is never replaced: it is
 * either found, in this store or in the one it was in before, or the call fails. Only a move to memory gives it up; for anything
 * else the caller asks with a new `dataFolderId`.
 *
 * @param options.sealedWith the key in use; undefined for a new data folder
 * @param options.openSecrets opens the store that it was in before
 * @throws {ServiceError} what `secrets` throws, KEYCHAIN_UNAVAILABLE if it does not keep its values; instead of
 *   KEYCHAIN_UNAVAILABLE, MASTER_KEY_MISSING if a key is in use that would be given up without a keychain
 */
export async function openSealer(
  secrets: SecretStore,
  dataFolderId: string,
  {
    sealedWith,
    openSecrets = openSecretStore,
  }: { sealedWith?: SealedWith | undefined; openSecrets?: ((location: SecretsLocation) => SecretStore) | undefined } = {},
): Promise<OpenedSealers> {
  const name = `master-key ${dataFolderId}`;
  const isReplaceable = sealedWith === undefined || sealedWith.location === 'memory' || secrets.kind === 'memory';
  if (isReplaceable) return { sealer: createSealer((await findKey(secrets, name)) ?? (await makeKey(secrets, name))) };
  const { location, keyCheck } = sealedWith;
  if (location === formatSecretsLocation(secrets)) return { sealer: await openSealerInUse(secrets, name, keyCheck) };
  try {
    const found = await findSealer(secrets, name);
    // The same key file at another path, or one whose path an earlier version did not store.
    if (found?.keyCheck === keyCheck) return { sealer: found };
    const earlier = await openEarlierSealer(location, { openSecrets, name, keyCheck });
    return { sealer: found ?? createSealer(await makeKey(secrets, name)), earlier };
  } catch (error) {
    throwImmovable(error, secrets, location);
  }
}

/** The sealer of the key in use, from the store that has had it all along. */
async function openSealerInUse(secrets: SecretStore, name: string, keyCheck: string): Promise<Sealer> {
  const found = await findSealer(secrets, name).catch((error: unknown) => throwUnreadable(error, secrets));
  if (found?.keyCheck === keyCheck) return found;
  // A locked keychain looks like one without a key. A new key would replace the old one and lose everything sealed with it.
  throw missing(
    found === undefined ? `a key that is missing. ${secrets.whenLost}` : `another key than the one found. ${secrets.whenLost}`,
  );
}

/** The sealer of the key in use, from the store that the user has moved away from. */
async function openEarlierSealer(
  location: string,
  { openSecrets, name, keyCheck }: { openSecrets: (location: SecretsLocation) => SecretStore; name: string; keyCheck: string },
): Promise<Sealer> {
  const parsed = parseSecretsLocation(location);
  if (parsed === undefined) throw missing(`a key in ${describePlace(location)}. ${useEarlier}.`);
  const keyThere = `a key in ${describePlace(location)}, and that key`;
  const store = openSecrets(parsed);
  let found: Sealer | undefined;
  try {
    found = await findSealer(store, name);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw missing(`${keyThere} cannot be read. ${reasonOf(error, store)} ${store.whenLost}`, error);
  }
  if (found?.keyCheck !== keyCheck) throw missing(`${keyThere} is missing. ${store.whenLost}`);
  return found;
}

async function findSealer(secrets: SecretStore, name: string): Promise<Sealer | undefined> {
  const key = await findKey(secrets, name);
  return key && createSealer(key);
}

async function findKey(secrets: SecretStore, name: string): Promise<Buffer | undefined> {
  const text = await secrets.find(name);
  const key = text === undefined ? undefined : Buffer.from(text, 'base64');
  return key?.length === masterKeyBytes ? key : undefined;
}

async function makeKey(secrets: SecretStore, name: string): Promise<Buffer> {
  const made = randomBytes(masterKeyBytes);
  await secrets.set(name, made.toString('base64'));
  // A keychain that does not keep its values would lose every key sealed from now on.
  const kept = await findKey(secrets, name);
  if (kept === undefined || !kept.equals(made)) {
    const sentence = `The keychain does not keep its entries. Unlock it, then start again. ${secrets.instead ?? ''}`;
    throw new ServiceError('KEYCHAIN_UNAVAILABLE', sentence.trim());
  }
  return made;
}

/** Advice to use another secret store is omitted: it does not help with what is already sealed. */
function throwUnreadable(error: unknown, secrets: SecretStore): never {
  if (!(error instanceof ServiceError) || secrets.instead === undefined) throw error;
  throw missing(`a key that cannot be read. ${reasonOf(error, secrets)} ${secrets.whenLost}`, error);
}

/**
 * A keychain that cannot take over a key that is in another place, perhaps because the option for that place was forgotten. Hosts
 * continue in memory without a keychain, which would give that key up.
 */
function throwImmovable(error: unknown, secrets: SecretStore, location: string): never {
  if (!(error instanceof ServiceError) || error.code !== 'KEYCHAIN_UNAVAILABLE') throw error;
  const option = parseSecretsLocation(location) === undefined ? '' : `: ${location}`;
  const which = `a key in ${describePlace(location)}, and it cannot be moved to ${describePlace(formatSecretsLocation(secrets))}`;
  throw missing(`${which}. ${useEarlier}${option}. ${reasonOf(error, secrets)}`, error);
}

const useEarlier = 'Start with the secrets option that you used before';

/** The place in a sentence. */
function describePlace(location: string): string {
  const place = parseSecretsLocation(location);
  if (place === undefined) return 'another file';
  return typeof place === 'object' ? `the file ${place.file}` : 'the keychain';
}

function reasonOf(error: ServiceError, { instead = '' }: SecretStore): string {
  return error.message.slice(0, error.message.length - instead.length).trim();
}

/** The error for a key in use that cannot be had. `which` ends the sentence: which key it is, and what to do. */
function missing(which: string, cause?: ServiceError): ServiceError {
  const sentence = `The stream keys of this data folder are encrypted with ${which}`;
  return new ServiceError('MASTER_KEY_MISSING', sentence.trim(), { cause });
}
