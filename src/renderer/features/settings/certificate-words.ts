import type { Severity } from '../../../shared/model/live.ts';
import { formatUtcDay } from '../../../shared/words/tls-file-words.ts';

/** The state of the certificate in use. It is valid through `expiresAt` (RFC 5280 §4.1.2.5), in epoch milliseconds. */
export function describeCertificate(expiresAt: number, nowMs: number): { severity: Severity; text: string } {
  const isExpired = nowMs > expiresAt;
  return {
    severity: isExpired ? 'bad' : 'good',
    text: `HTTPS and RTMPS, with a certificate that ${isExpired ? 'expired' : 'expires'} on ${formatUtcDay(expiresAt)}`,
  };
}
