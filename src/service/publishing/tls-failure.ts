import type { IngestFailure, TlsFault } from '../../shared/model/ingest-failure.ts';
import { codeOf } from '../lib/read-error.ts';

/** OpenSSL's verification errors by Node's codes, and Node's own. */
const faults: Readonly<Record<string, TlsFault>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  CERT_REVOKED: 'revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  INVALID_CA: 'untrusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'not-tls',
  ERR_SSL_UNEXPECTED_MESSAGE: 'not-tls',
};

/** The TLS fault behind one of Node's codes; undefined for a code that isn't about TLS. */
export function findTlsFault(code: string): TlsFault | undefined {
  return faults[code] ?? (/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO$)/.test(code) ? 'failed' : undefined);
}

/** Why a TLS handshake failed, from Node's error. */
export function explainTlsError(error: unknown, host: string): IngestFailure {
  const code = codeOf(error) ?? 'UNKNOWN';
  if (code === 'ECONNRESET' || code === 'EPIPE') return { code: 'closed', during: 'tls' };
  return { code: 'tls', fault: faults[code] ?? 'failed', host, reason: code };
}
