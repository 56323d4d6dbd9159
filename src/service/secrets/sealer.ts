import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore } from '../ports.ts';

/** Seals stored secrets with a key that is kept outside the store. */
export interface Sealer {
  /** Encrypts and authenticates text, bound to `owner`: it opens only for the same id. */
  seal(text: string, owner: string): Buffer;
  /** The text; undefined if it was sealed with another key or for another owner, or has been tampered with. */
  open(sealed: Uint8Array, owner: string): string | undefined;
  /** A keyed hash for looking up a secret. Without the key it reveals nothing, and does not allow guesses to be tested. */
  hash(secret: string): Buffer;
  /** Identifies the key without revealing anything about it. */
  readonly keyCheck: string;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Opens the sealer of one data folder. Its 256-bit master key is one entry of the secret store, named after the folder's id so that
 * two folders never share or overwrite one, and created if there is none.
 *
 * Sealing is AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce and the owner's id as associated data; hashing is
 * HMAC-SHA-256. Each has its own key, derived from the master key (HKDF, RFC 5869).
 *
 * @param isExpected whether something is sealed with a key from this secret store; if so, no other key is created
 * @throws {ServiceError} KEYCHAIN_UNAVAILABLE when the secret store cannot be used or does not keep its values;
 *   MASTER_KEY_MISSING when an expected key is missing
 */
export async function openSealer(
  secrets: SecretStore,
  dataFolderId: string,
  { isExpected = false }: { isExpected?: boolean } = {},
): Promise<Sealer> {
  const masterKey = await findOrMakeMasterKey(secrets, `master-key ${dataFolderId}`, isExpected);
  // As key objects, because Node checks raw bytes expensively on every use.
  const sealKey = createSecretKey(deriveKey(masterKey, 'seal'));
  const hashKey = createSecretKey(deriveKey(masterKey, 'hash'));
  return {
    keyCheck: deriveKey(masterKey, 'check').toString('hex'),
    seal(text, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      if (sealed.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(-tagBytes));
      const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
      try {
        return text + decipher.final('utf8');
      } catch {
        // The tag does not match: the only way that `final` fails here.
        return undefined;
      }
    },
    hash: (secret) => createHmac('sha256', hashKey).update(secret).digest(),
  };
}

async function findOrMakeMasterKey(secrets: SecretStore, name: string, isExpected: boolean): Promise<Buffer> {
  const found = parseKey(
    await secrets.find(name).catch((error: unknown) => (isExpected ? throwMissing(error, secrets) : Promise.reject(error))),
  );
  if (found !== undefined) return found;
  // A locked keychain looks like one without a key. A new key would replace the old one and lose everything sealed with it.
  if (isExpected) {
    throw new ServiceError(
      'MASTER_KEY_MISSING',
      `The stream keys of this data folder are encrypted with a key that is missing. ${secrets.whenLost}`,
    );
  }
  const made = randomBytes(keyBytes);
  await secrets.set(name, made.toString('base64'));
  // A keychain that does not keep its values would lose every key sealed from now on.
  const kept = parseKey(await secrets.find(name));
  if (kept === undefined || !kept.equals(made)) {
    throw new ServiceError(
      'KEYCHAIN_UNAVAILABLE',
      'The keychain does not keep its entries. Unlock it, or start with --secrets memory.',
    );
  }
  return made;
}

/** Advice to use another secret store is omitted: it does not help with what is already sealed. */
function throwMissing(error: unknown, { instead, whenLost }: SecretStore): never {
  if (!(error instanceof ServiceError) || instead === undefined) throw error;
  const reason = error.message.slice(0, error.message.length - instead.length).trim();
  const sentence = `The stream keys of this data folder are encrypted with a key that cannot be read. ${reason} ${whenLost}`;
  throw new ServiceError('MASTER_KEY_MISSING', sentence, { cause: error });
}

function parseKey(text: string | undefined): Buffer | undefined {
  const key = text === undefined ? undefined : Buffer.from(text, 'base64');
  return key?.length === keyBytes ? key : undefined;
}

function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `tallylight ${purpose}`, keyBytes));
}
