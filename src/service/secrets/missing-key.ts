import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore } from '../ports.ts';
import { NoKeyInFile } from './file-secret-store.ts';
import { formatSecretsLocation, parseSecretsLocation } from './secrets-location.ts';

/** The error for a key in use that is unavailable. `which` ends the sentence: which key it is, and what to do. */
export function missingKey(which: string, cause?: ServiceError): ServiceError {
  const sentence = `The stream keys of this data folder are encrypted with ${which}`;
  return new ServiceError('MASTER_KEY_MISSING', sentence.trim(), { cause });
}

/**
 * For a key in use that cannot be read, as `which` says. A key file's error for another reason than its contents is rethrown unchanged,
 * because its advice helps.
 */
export function throwUnreadable(error: unknown, secrets: SecretStore, which = 'a key that cannot be read.'): never {
  const isLost = error instanceof ServiceError && (secrets.instead !== undefined || error instanceof NoKeyInFile);
  if (!isLost) throw error;
  throw missingKey(`${which} ${reasonOf(error, secrets)} ${secrets.whenLost}`, error);
}

/**
 * For a secret store that cannot take over a key from another location, perhaps because the option for that location was forgotten.
 * Hosts continue in memory without a keychain, which would give that key up; and a key file without a key may have had it.
 */
export function throwImmovable(error: unknown, secrets: SecretStore, location: string): never {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code !== 'KEYCHAIN_UNAVAILABLE' && !(error instanceof NoKeyInFile)) throw error;
  const option = parseSecretsLocation(location) === undefined ? '' : `: ${location}`;
  const which = `a key in ${describeLocation(location)}, which cannot be moved to ${describeLocation(formatSecretsLocation(secrets))}`;
  throw missingKey(`${which}. ${reasonOf(error, secrets)} ${useEarlier}${option}.`, error);
}

/** Advice without a full stop. */
export const useEarlier = 'Start with the secrets option that you used before';

/** A stored location, in a sentence. */
export function describeLocation(location: string): string {
  const parsed = parseSecretsLocation(location);
  if (parsed === undefined) return 'another file';
  return typeof parsed === 'object' ? `the file ${parsed.file}` : 'the keychain';
}

/** A secret store's message about what is wrong. Advice for a first start is omitted: it does not help with sealed secrets. */
export function reasonOf(error: ServiceError, { instead = '' }: SecretStore): string {
  if (error instanceof NoKeyInFile) return error.reason;
  return error.message.slice(0, error.message.length - instead.length).trim();
}
