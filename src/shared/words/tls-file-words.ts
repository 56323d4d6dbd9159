import { assertNever } from '../assert-never.ts';
import type { TlsFileFault } from '../model/tls-file-fault.ts';

/** Why a certificate and its key can't be used, and what to do, in a sentence or two. */
export function describeTlsFileFault(fault: TlsFileFault): string {
  switch (fault.code) {
    case 'not-set':
      return `TLS needs a certificate and its key, but no ${fault.file} is set.`;
    case 'unreadable':
      return `The TLS ${fault.file} ${fault.path} cannot be read (${fault.reason}).`;
    case 'not-pem':
      return `The TLS ${fault.file} ${fault.path} is not in PEM format: it must have lines like ${pemLines[fault.file]}.`;
    case 'key-encrypted':
      return `The TLS key ${fault.path} is encrypted. Use a key without a passphrase.`;
    case 'key-differs':
      return `The TLS key ${fault.keyPath} doesn't belong to the certificate ${fault.certificatePath}.`;
    case 'expired':
      return `The TLS certificate ${fault.path} expired on ${formatUtcDay(fault.expiredAt)}.`;
    case 'refused':
      return `The TLS certificate ${fault.path} cannot be used (${fault.reason}).`;
    default:
      return assertNever(fault);
  }
}

/** The day in UTC, as certificates state it: `2026-11-21`. */
export function formatUtcDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

const pemLines = { certificate: '-----BEGIN CERTIFICATE-----', key: '-----BEGIN PRIVATE KEY-----' } as const;
