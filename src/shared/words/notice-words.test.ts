import { expect, test } from 'vitest';
import type { ServiceNotice } from '../model/service-notice.ts';
import { describeNotice } from './notice-words.ts';

type NoticeOf<Code> = Extract<ServiceNotice, { code: Code }>;

/** Every notice, with its sentence. */
const words: { [Code in ServiceNotice['code']]: [NoticeOf<Code>, string][] } = {
  'store-fault': [
    [
      { code: 'store-fault', problem: { fault: { code: 'disk-full' }, waiting: 2 } },
      'The store cannot be written: the disk is full. 2 changes wait in memory.',
    ],
  ],
  'store-replaced': [
    [
      { code: 'store-replaced', setAside: '/data/tallylight-damaged.db' },
      'The store was damaged. It was set aside as /data/tallylight-damaged.db, and a new one was created with what could be read of it. This message stays until you move or delete that file.',
    ],
  ],
  'keys-replaced': [
    [
      { code: 'keys-replaced', streams: 1 },
      'One stream has a new stream key, because the key that encrypted the old one is missing. Copy it to your encoder again.',
    ],
    [
      { code: 'keys-replaced', streams: 2 },
      '2 streams have new stream keys, because the key that encrypted the old ones is missing. Copy them to your encoders again.',
    ],
  ],
  'key-replaced': [
    [
      { code: 'key-replaced', streamName: 'Sunday show' },
      'The stream key of “Sunday show” could not be decrypted, so the stream has a new one. Copy it to your encoder again.',
    ],
  ],
  'port-in-use': [
    [
      { code: 'port-in-use', purpose: 'RTMP', preferred: 1935, reason: 'in-use', port: 1936 },
      'The RTMP port 1935 is in use by another program, so Tallylight uses 1936.',
    ],
    [
      { code: 'port-in-use', purpose: 'HTTP', preferred: 4600, reason: 'rtmp-port', port: 4601 },
      'The HTTP port 4600 is already the RTMP port, so Tallylight uses 4601.',
    ],
    [
      { code: 'port-in-use', purpose: 'HTTP', preferred: 443, reason: 'no-permission', port: 4600 },
      'The HTTP port 443 needs permissions that Tallylight does not have, so Tallylight uses 4600.',
    ],
  ],
  'tls-unusable': [
    [
      { code: 'tls-unusable', fault: { code: 'key-encrypted', path: 'a.pem' } },
      'The TLS key a.pem is encrypted. Use a key without a passphrase. Until the next start with usable files, there is no HTTPS and no RTMPS.',
    ],
  ],
  'tls-not-renewed': [
    [
      { code: 'tls-not-renewed', fault: { code: 'key-differs', certificatePath: 'a.pem', keyPath: 'b.pem' } },
      "The TLS key b.pem doesn't belong to the certificate a.pem. Until that is fixed, the earlier certificate stays in use.",
    ],
  ],
  'tls-expired': [
    [
      { code: 'tls-expired', path: 'a.pem', expiredAt: Date.UTC(2026, 0, 2) },
      'The TLS certificate a.pem expired on 2026-01-02: players and encoders refuse it. Renew it; no restart is needed.',
    ],
  ],
};

test.each(Object.values(words).flat())('the words of %j', (notice, sentence) => {
  expect(describeNotice(notice)).toBe(sentence);
});
