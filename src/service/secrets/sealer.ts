import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

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

const nonceBytes = 12;
const tagBytes = 16;

/** Bytes of a master key. */
export const masterKeyBytes = 32;

/**
 * Creates the sealer of a 256-bit master key.
 *
 * Sealing is AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce and the owner's id as associated data; hashing is
 * HMAC-SHA-256. Each has its own key, derived from the master key (HKDF, RFC 5869).
 */
export function createSealer(masterKey: Buffer): Sealer {
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

function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `tallylight ${purpose}`, masterKeyBytes));
}
