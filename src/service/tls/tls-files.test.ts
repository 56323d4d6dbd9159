import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { makeTlsFiles, tlsAuthority } from '../../../test/support/tls-fixtures.ts';
import { openTlsFiles, type TlsFiles } from './tls-files.ts';

const { log, lines } = createTestLog();
let disk: ReturnType<typeof makeTlsFiles>;
let clock: { time: number; now(): number };
let files: TlsFiles;
beforeEach(async () => {
  lines.length = 0;
  disk = makeTlsFiles();
  clock = { time: Date.UTC(2030, 0, 1), now: () => clock.time };
  files = await openTlsFiles(disk.paths, { clock, log, checkMs: 5 });
});
afterEach(async () => {
  await files.close();
  rmSync(disk.folder, { recursive: true });
});

test('a renewed pair is taken and told, once both files are there', async () => {
  const renewed: boolean[] = [];
  files.onRenewed(({ certificate }) => renewed.push(certificate.equals(tlsAuthority('renewed'))));
  const told: string[][] = [];
  files.onChange(() => told.push(files.notices.map(({ code }) => code)));
  disk.renewCertificate('renewed');
  const fault = { code: 'key-differs', ...disk.paths };
  await soon(() => expect(files.notices).toEqual([{ code: 'tls-not-renewed', fault }]));
  expect(files.pair.certificate.equals(tlsAuthority('first'))).toBe(true);
  expect(renewed).toEqual([]);
  disk.renewKey('renewed');
  await soon(() => expect(files.notices).toEqual([]));
  expect(renewed).toEqual([true]);
  expect(files.pair.certificate.equals(tlsAuthority('renewed'))).toBe(true);
  expect(told).toEqual([['tls-not-renewed'], []]);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'Renewed TLS files cannot be used. The earlier ones stay in use.',
    'Renewed TLS files are in use.',
  ]);
});

test('files that go missing or break leave the pair in use, and each fault is reported once', async () => {
  rmSync(disk.paths.keyPath);
  const { certificatePath, keyPath } = disk.paths;
  const unreadable = { code: 'unreadable', file: 'key', path: keyPath, reason: 'ENOENT' };
  await soon(() => expect(files.notices).toEqual([{ code: 'tls-not-renewed', fault: unreadable }]));
  writeFileSync(certificatePath, 'half a certif');
  const notPem = { code: 'not-pem', file: 'certificate', path: certificatePath };
  await soon(() => expect(files.notices).toEqual([{ code: 'tls-not-renewed', fault: notPem }]));
  disk.renewKey('first');
  disk.renewCertificate('first');
  await soon(() => expect(files.notices).toEqual([]));
  expect(lines.map(({ fault }) => fault)).toEqual([unreadable, notPem]);
});

test('an expired pair replaces no valid one', async () => {
  disk.renewCertificate('expired');
  disk.renewKey('expired');
  const expired = { code: 'expired', path: disk.paths.certificatePath, expiredAt: Date.UTC(2021, 0, 1) };
  await soon(() => expect(files.notices).toEqual([{ code: 'tls-not-renewed', fault: expired }]));
  expect(files.pair.certificate.equals(tlsAuthority('first'))).toBe(true);
  disk.renewCertificate('renewed');
  disk.renewKey('renewed');
  await soon(() => expect(files.notices).toEqual([]));
  expect(files.pair.certificate.equals(tlsAuthority('renewed'))).toBe(true);
});

test('an expired certificate stays in use and is reported', async () => {
  const told: unknown[] = [];
  files.onChange(() => told.push(files.notices));
  clock.time = Date.UTC(2200, 0, 1);
  const { expiresAt: expiredAt } = files.pair;
  const notices = [{ code: 'tls-expired', path: disk.paths.certificatePath, expiredAt }];
  await soon(() => expect(lines.map(({ msg }) => msg)).toEqual(['The TLS certificate has expired.']));
  expect(files.notices).toEqual(notices);
  expect(told).toEqual([notices]);
});

test('a certificate that expired before the start is reported until it is renewed', async () => {
  await files.close();
  disk.renewCertificate('expired');
  disk.renewKey('expired');
  files = await openTlsFiles(disk.paths, { clock, log, checkMs: 5 });
  const expiredAt = Date.UTC(2021, 0, 1);
  expect(files.notices).toEqual([{ code: 'tls-expired', path: disk.paths.certificatePath, expiredAt }]);
  disk.renewCertificate('first');
  disk.renewKey('first');
  await soon(() => expect(files.notices).toEqual([]));
  await files.close();
  // A check may have read one file before it was renewed and the other one after that.
  const said = lines.map(({ msg }) => msg).filter((msg) => !msg.includes('cannot be used'));
  expect(said).toEqual(['The TLS certificate has expired.', 'Renewed TLS files are in use.']);
});
