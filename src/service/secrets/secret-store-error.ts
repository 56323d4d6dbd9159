import { ServiceError } from '../../shared/errors.ts';
import type { KeychainFault, KeyFileFault, SecretStoreFault } from '../../shared/model/secrets-fault.ts';

/** A secret store can't be used. */
export class SecretStoreError extends ServiceError {
  readonly fault: SecretStoreFault;

  constructor(code: 'KEYCHAIN_UNAVAILABLE' | 'UNAVAILABLE', fault: SecretStoreFault, cause?: unknown) {
    super(code, `The secret store can't be used: ${JSON.stringify(fault)}`, { details: { secretsFault: fault }, cause });
    this.fault = fault;
  }
}

/** The keychain can't be used: KEYCHAIN_UNAVAILABLE. */
export function keychainError(fault: KeychainFault, cause?: unknown): SecretStoreError {
  return new SecretStoreError('KEYCHAIN_UNAVAILABLE', fault, cause);
}

/** The key file can't be used: UNAVAILABLE. */
export function keyFileError(fault: KeyFileFault, cause?: unknown): SecretStoreError {
  return new SecretStoreError('UNAVAILABLE', fault, cause);
}
