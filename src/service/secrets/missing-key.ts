import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore } from '../ports.ts';
import { formatSecretsLocation, parseSecretsLocation } from './secrets-location.ts';

/** The error for a key in use that cannot be had. `which` ends the sentence: which key it is, and what to do. */
export function missingKey(which: string, cause?: ServiceError): ServiceError {
  const sentence = `The stream keys of this data folder are encrypted with ${which}`;
  return new ServiceError('MASTER_KEY_MISSING', sentence.trim(), { cause });
}

/** For a key in use that cannot be read. Advice to use another secret store is omitted: it does not help with what is sealed. */
export function throwUnreadable(error: unknown, secrets: SecretStore): never {
  if (!(error instanceof ServiceError) || secrets.instead === undefined) throw error;
  throw missingKey(`a key that cannot be read. ${reasonOf(error, secrets)} ${secrets.whenLost}`, error);
}

/**
 * For a keychain that cannot take over a key that is in another place, perhaps because the option for that place was forgotten. Hosts
 * continue in memory without a keychain, which would give that key up.
 */
export function throwImmovable(error: unknown, secrets: SecretStore, location: string): never {
  if (!(error instanceof ServiceError) || error.code !== 'KEYCHAIN_UNAVAILABLE') throw error;
  const option = parseSecretsLocation(location) === undefined ? '' : `: ${location}`;
  const which = `a key in ${describePlace(location)}, and it cannot be moved to ${describePlace(formatSecretsLocation(secrets))}`;
  throw missingKey(`${which}. ${useEarlier}${option}. ${reasonOf(error, secrets)}`, error);
}

/** Advice without a full stop. */
export const useEarlier = 'Start with the secrets option that you used before';

/** A stored location, in a sentence. */
export function describePlace(location: string): string {
  const place = parseSecretsLocation(location);
  if (place === undefined) return 'another file';
  return typeof place === 'object' ? `the file ${place.file}` : 'the keychain';
}

/** What a secret store says is wrong, without the alternatives that it offers. */
export function reasonOf(error: ServiceError, { instead = '' }: SecretStore): string {
  return error.message.slice(0, error.message.length - instead.length).trim();
}
