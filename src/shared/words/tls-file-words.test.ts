import { expect, test } from 'vitest';
import type { TlsFileFault } from '../model/tls-file-fault.ts';
import { describeTlsFileFault } from './tls-file-words.ts';

/** Every fault, with its sentence. */
const words: { [Code in TlsFileFault['code']]: [Extract<TlsFileFault, { code: Code }>, string] } = {
  'not-set': [{ code: 'not-set', file: 'key' }, 'TLS needs a certificate and its key, but no key is set.'],
  unreadable: [
    { code: 'unreadable', file: 'key', path: '/tls/key.pem', reason: 'EACCES' },
    'The TLS key /tls/key.pem cannot be read (EACCES).',
  ],
  'not-pem': [
    { code: 'not-pem', file: 'certificate', path: 'a.der' },
    'The TLS certificate a.der is not in PEM format: it must have lines like -----BEGIN CERTIFICATE-----.',
  ],
  'key-encrypted': [
    { code: 'key-encrypted', path: 'key.pem' },
    'The TLS key key.pem is encrypted. Use a key without a passphrase.',
  ],
  'key-differs': [
    { code: 'key-differs', certificatePath: 'a.pem', keyPath: 'b.pem' },
    "The TLS key b.pem doesn't belong to the certificate a.pem.",
  ],
  expired: [
    { code: 'expired', path: 'a.pem', expiredAt: Date.UTC(2021, 0, 2) },
    'The TLS certificate a.pem expired on 2021-01-02.',
  ],
  refused: [
    { code: 'refused', path: 'a.pem', reason: 'ERR_SSL_EE_KEY_TOO_SMALL' },
    'The TLS certificate a.pem cannot be used (ERR_SSL_EE_KEY_TOO_SMALL).',
  ],
};

test.each(Object.values(words))('the words of %j', (fault, sentence) => expect(describeTlsFileFault(fault)).toBe(sentence));
