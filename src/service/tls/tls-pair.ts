import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ServiceError } from '../../shared/errors.ts';
import type { TlsFileFault } from '../../shared/model/tls-file-fault.ts';
import { codeOf } from '../lib/read-error.ts';

/** Certificates of a chain have a few kilobytes each. */
const maxBytes = 1024 * 1024;

/** The files that TLS needs, in PEM format (RFC 7468). */
export interface TlsPaths {
  /** The certificate, then those of the authorities between it and a known one. */
  certificatePath: string;
  keyPath: string;
}

/** A certificate with its key, found to belong together. */
export interface TlsPair {
  certificate: Buffer;
  key: Buffer;
  /** When the certificate expires, in milliseconds of the Unix epoch. */
  expiresAt: number;
}

/** A pair in Node's format. TLS 1.0 and 1.1 must not be used (RFC 8996). */
export function secureContextOf({ certificate, key }: TlsPair): SecureContextOptions {
  return { cert: certificate, key, minVersion: 'TLSv1.2' };
}

/** Reads both files and checks that they can be used together. @throws {ServiceError} TLS_UNUSABLE, with a `tlsFault` */
export async function readTlsPair({ certificatePath, keyPath }: TlsPaths): Promise<TlsPair> {
  const certificate = await readPem('certificate', certificatePath);
  const key = await readPem('key', keyPath);
  const parsed = parseCertificate(certificate, certificatePath);
  if (!parsed.checkPrivateKey(parseKey(key, keyPath))) throw tlsError({ code: 'key-differs', certificatePath, keyPath });
  const pair = { certificate, key, expiresAt: Date.parse(parsed.validTo) };
  try {
    createSecureContext(secureContextOf(pair));
  } catch (error) {
    throw tlsError({ code: 'refused', path: certificatePath, reason: codeOf(error) ?? 'unknown' });
  }
  return pair;
}

async function readPem(file: 'certificate' | 'key', path: string): Promise<Buffer> {
  const bytes = await readSmallFile(path).catch((error: unknown) => {
    throw tlsError({ code: 'unreadable', file, path, reason: codeOf(error) ?? 'unknown' });
  });
  // Node reads DER certificates too, but TLS takes only PEM.
  if (!bytes.includes('-----BEGIN ')) throw tlsError({ code: 'not-pem', file, path });
  return bytes;
}

/** Regular files only: reading a pipe may block, and some devices never end. */
async function readSmallFile(path: string): Promise<Buffer> {
  const found = await stat(path);
  if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error(path), { code: 'not a file' });
  if (found.size > maxBytes) throw Object.assign(new Error(path), { code: 'EFBIG' });
  return readFile(path);
}

function parseCertificate(bytes: Buffer, path: string): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw tlsError({ code: 'not-pem', file: 'certificate', path });
  }
}

function parseKey(bytes: Buffer, path: string): KeyObject {
  // RFC 7468 §11, and the older form of OpenSSL.
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(bytes.toString('latin1'))) {
    throw tlsError({ code: 'key-encrypted', path });
  }
  try {
    return createPrivateKey(bytes);
  } catch {
    throw tlsError({ code: 'not-pem', file: 'key', path });
  }
}

/** The error for TLS files with this fault. */
export function tlsError(tlsFault: TlsFileFault): ServiceError {
  return new ServiceError('TLS_UNUSABLE', `TLS can't be used: ${JSON.stringify(tlsFault)}`, { details: { tlsFault } });
}
