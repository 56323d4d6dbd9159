import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Self-signed certificates for `localhost` and 127.0.0.1, made with `openssl req -x509`. */
export type TestPair = 'first' | 'renewed';

/**
 * Certificates that {@link testAuthority} signed: `ingest` is for `localhost` and its addresses, `elsewhere` for another name,
 * `expired` for `localhost` until 2021.
 */
export type TestCertificate = 'ingest' | 'elsewhere' | 'expired';

/** The path of a file in `test/fixtures/tls`. */
export const tlsFixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** The paths of a pair. */
export const tlsPaths = (pair: TestPair | TestCertificate) => ({
  certificatePath: tlsFixture(`${pair}-cert.pem`),
  keyPath: tlsFixture(`${pair}-key.pem`),
});

/** The certificate of a pair, which clients are given as the authority they trust. */
export const tlsAuthority = (pair: TestPair): Buffer => readFileSync(tlsPaths(pair).certificatePath);

/** The authority behind each {@link TestCertificate}, in PEM. Its key was not kept. */
export const testAuthority: string = readFileSync(tlsFixture('authority-cert.pem'), 'utf8');

/** A certificate and its key, in PEM, as servers take them. */
export function readTlsPair(name: TestPair | TestCertificate): { cert: string; key: string } {
  const { certificatePath, keyPath } = tlsPaths(name);
  return { cert: readFileSync(certificatePath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
}

/** A certificate and its key in a folder of their own, where a test renews them. */
export function makeTlsFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'tallylight-tls-'));
  const paths = { certificatePath: join(folder, 'cert.pem'), keyPath: join(folder, 'key.pem') };
  const renewCertificate = (pair: TestPair | 'expired') => copyFileSync(tlsPaths(pair).certificatePath, paths.certificatePath);
  const renewKey = (pair: TestPair | 'expired') => copyFileSync(tlsPaths(pair).keyPath, paths.keyPath);
  renewCertificate('first');
  renewKey('first');
  return { folder, paths, renewCertificate, renewKey };
}
