import { ServiceError } from '../../shared/errors.ts';
import type { KeyLocation, MissingKeyFault, SecretStoreFault } from '../../shared/model/secrets-fault.ts';
import type { SecretStore } from '../ports.ts';
import { SecretStoreError } from './secret-store-error.ts';
import { parseSecretsLocation } from './secrets-location.ts';

/** The error for a key in use that is unavailable. */
export function missingKey(fault: MissingKeyFault, cause?: SecretStoreError): ServiceError {
  const message = `The key in use is unavailable: ${JSON.stringify(fault)}`;
  return new ServiceError('MASTER_KEY_MISSING', message, { details: { secretsFault: fault }, cause });
}

/**
 * For a key in use that cannot be read or moved because of a secret store's fault. Hosts continue in memory without a keychain, which
 * would give that key up; and a key file without a key may have had it. Any other error is rethrown unchanged.
 */
export function throwUnreadable(error: unknown, makeFault: (because: SecretStoreFault) => MissingKeyFault): never {
  if (!(error instanceof SecretStoreError)) throw error;
  if (error.code !== 'KEYCHAIN_UNAVAILABLE' && error.fault.code !== 'file-without-key') throw error;
  throw missingKey(makeFault(error.fault), error);
}

/** The location of a store that outlives the process. */
export function locationOf({ path }: SecretStore): KeyLocation {
  return path === undefined ? { kind: 'os' } : { kind: 'file', path };
}

/** A stored location; undefined for a file whose path an earlier version did not store. */
export function readLocation(text: string): KeyLocation | undefined {
  const parsed = parseSecretsLocation(text);
  if (parsed === undefined) return undefined;
  return typeof parsed === 'object' ? { kind: 'file', path: parsed.file } : { kind: 'os' };
}
