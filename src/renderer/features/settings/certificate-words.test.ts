import { expect, test } from 'vitest';
import { describeCertificate } from './certificate-words.ts';

test('a certificate is in order until it expires', () => {
  const expiresAt = new Date(2030, 4, 2, 12).getTime();
  expect([0, 1].map((ms) => describeCertificate(expiresAt, expiresAt + ms))).toEqual([
    { severity: 'good', text: 'HTTPS and RTMPS, with a certificate that expires on 2 May 2030' },
    { severity: 'bad', text: 'HTTPS and RTMPS, with a certificate that expired on 2 May 2030' },
  ]);
});
