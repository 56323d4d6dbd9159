import { afterEach, expect, test, vi } from 'vitest';
import { describeTlsFileFault } from '../../../shared/words/tls-file-words.ts';
import { describeCertificate } from './certificate-words.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a certificate is in order until it expires', () => {
  const expiresAt = Date.UTC(2030, 4, 2, 12);
  expect([0, 1].map((ms) => describeCertificate(expiresAt, expiresAt + ms))).toEqual([
    { severity: 'good', text: 'HTTPS and RTMPS, with a certificate that expires on 2030-05-02' },
    { severity: 'bad', text: 'HTTPS and RTMPS, with a certificate that expired on 2030-05-02' },
  ]);
});

test('a certificate expires on the same day wherever it is shown', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland');
  // Already the next day there.
  const expiredAt = Date.UTC(2030, 4, 2, 23);
  expect(new Date(expiredAt).getDate()).toBe(3);
  const lastWord = (sentence: string) => sentence.split(' ').at(-1);
  const told = lastWord(describeTlsFileFault({ code: 'expired', path: 'a.pem', expiredAt }));
  expect(`${lastWord(describeCertificate(expiredAt, expiredAt + 1).text)}.`).toBe(told);
});
