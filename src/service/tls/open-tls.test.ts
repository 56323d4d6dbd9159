import { afterEach, expect, test } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { tlsPaths } from '../../../test/support/tls-fixtures.ts';
import { checkTlsSettings, openTls } from './open-tls.ts';
import type { TlsFiles } from './tls-files.ts';

const { log } = createTestLog();
const { certificatePath: tlsCertificatePath, keyPath: tlsKeyPath } = tlsPaths('first');
const options = { clock: { now: Date.now }, log };
let files: TlsFiles | undefined;
afterEach(() => files?.close());

test('without files there is no TLS', async () => {
  expect(await openTls({}, { ...options, isGiven: false })).toEqual({ notices: [] });
  await checkTlsSettings({ tlsCertificatePath: '', tlsKeyPath: '' });
});

test('both files are opened', async () => {
  ({ files } = await openTls({ tlsCertificatePath, tlsKeyPath }, { ...options, isGiven: false }));
  expect(files?.notices).toEqual([]);
  await checkTlsSettings({ tlsCertificatePath, tlsKeyPath });
});

test.each([
  ['a certificate alone', { tlsCertificatePath }, { code: 'not-set', file: 'key' }],
  ['a key alone', { tlsKeyPath }, { code: 'not-set', file: 'certificate' }],
  [
    'a missing file',
    { tlsCertificatePath: '/missing', tlsKeyPath },
    { code: 'unreadable', file: 'certificate', path: '/missing', reason: 'ENOENT' },
  ],
])('%s is a notice if it was saved, and keeps a host from starting that was given it', async (_name, settings, tlsFault) => {
  expect(await openTls(settings, { ...options, isGiven: false })).toEqual({
    notices: [{ code: 'tls-unusable', fault: tlsFault }],
  });
  const error = { code: 'TLS_UNUSABLE', details: { tlsFault } };
  await expect(openTls(settings, { ...options, isGiven: true })).rejects.toMatchObject(error);
  await expect(checkTlsSettings(settings)).rejects.toMatchObject(error);
});
