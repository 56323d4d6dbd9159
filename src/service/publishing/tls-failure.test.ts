import { expect, test } from 'vitest';
import { explainTlsError } from './tls-failure.ts';

const explain = (code: string) => explainTlsError(Object.assign(new Error(code), { code }), 'live.example.com');

test.each([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not-yet-valid'],
  ['CERT_REVOKED', 'revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong-name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['CERT_UNTRUSTED', 'untrusted'],
  ['INVALID_CA', 'untrusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not-tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'not-tls'],
  ['ERR_SSL_UNEXPECTED_MESSAGE', 'not-tls'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'failed'],
])('%s is %s', (reason, fault) => {
  expect(explain(reason)).toEqual({ code: 'tls', fault, host: 'live.example.com', reason });
});

test.each(['ECONNRESET', 'EPIPE'])('%s is a closed connection', (reason) => {
  expect(explain(reason)).toEqual({ code: 'closed', during: 'tls' });
});
