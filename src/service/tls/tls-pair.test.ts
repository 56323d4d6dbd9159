import { expect, test } from 'vitest';
import { tlsFixture, tlsPaths } from '../../../test/support/tls-fixtures.ts';
import type { TlsFileFault } from '../../shared/model/tls-file-fault.ts';
import { readTlsPair } from './tls-pair.ts';

const first = tlsPaths('first');
const notPem = tlsFixture('../inspect');
const text = import.meta.filename;

test('a certificate and its key are read, with when it expires', async () => {
  const { expiresAt } = await readTlsPair(first);
  expect(new Date(expiresAt).getUTCFullYear()).toBe(2126);
});

/** Faulty pairs of files, and the reported fault. */
const faults: [string, { certificatePath?: string; keyPath?: string }, TlsFileFault][] = [
  [
    'a missing certificate',
    { certificatePath: '/missing/cert.pem' },
    { code: 'unreadable', file: 'certificate', path: '/missing/cert.pem', reason: 'ENOENT' },
  ],
  ['a folder instead of a key', { keyPath: notPem }, { code: 'unreadable', file: 'key', path: notPem, reason: 'EISDIR' }],
  ['a certificate without PEM', { certificatePath: text }, { code: 'not-pem', file: 'certificate', path: text }],
  ['a key without PEM', { keyPath: text }, { code: 'not-pem', file: 'key', path: text }],
  ['a key as certificate', { certificatePath: first.keyPath }, { code: 'not-pem', file: 'certificate', path: first.keyPath }],
  ['a certificate as key', { keyPath: first.certificatePath }, { code: 'not-pem', file: 'key', path: first.certificatePath }],
  [
    'an encrypted key',
    { keyPath: tlsFixture('encrypted-key.pem') },
    { code: 'key-encrypted', path: tlsFixture('encrypted-key.pem') },
  ],
  [
    'the key of another certificate',
    { keyPath: tlsPaths('renewed').keyPath },
    { code: 'key-differs', certificatePath: first.certificatePath, keyPath: tlsPaths('renewed').keyPath },
  ],
  [
    'a certificate too weak for OpenSSL',
    { certificatePath: tlsFixture('weak-cert.pem'), keyPath: tlsFixture('weak-key.pem') },
    { code: 'refused', path: tlsFixture('weak-cert.pem'), reason: 'ERR_SSL_EE_KEY_TOO_SMALL' },
  ],
];

test.each(faults)('%s is refused', async (_name, paths, tlsFault) => {
  await expect(readTlsPair({ ...first, ...paths })).rejects.toMatchObject({ code: 'TLS_UNUSABLE', details: { tlsFault } });
});

test.skipIf(process.platform === 'win32')('what may never end is not read: a device', async () => {
  const certificatePath = '/dev/zero';
  const tlsFault = { code: 'unreadable', file: 'certificate', path: certificatePath, reason: 'not a file' };
  await expect(readTlsPair({ ...first, certificatePath })).rejects.toMatchObject({ details: { tlsFault } });
});
