import { expect, test } from 'vitest';
import { RemoteFailure } from '../model/remote-failure.ts';
import { describeRemoteFailure } from './remote-failure-words.ts';

const address = 'live.example.com:443';
const host = 'live.example.com';

const sentences: [RemoteFailure, string][] = [
  [{ code: 'name-not-found', host }, 'There is no server named live.example.com. Check the address for typing errors.'],
  [{ code: 'lookup-failed', host }, "Can't look up live.example.com. Check this computer's internet connection."],
  [
    { code: 'connection-refused', address },
    'live.example.com:443 refused the connection. Check the address and the port, and that the service is running.',
  ],
  [
    { code: 'unreachable', address, reason: 'ENETUNREACH' },
    "Can't reach live.example.com:443 (ENETUNREACH). Check this computer's internet connection.",
  ],
  [
    { code: 'tls', fault: 'expired', host, reason: 'CERT_HAS_EXPIRED' },
    "The certificate of live.example.com has expired. Check this computer's clock; if it's right, only the service's operator can help.",
  ],
  [
    { code: 'tls', fault: 'untrusted', host, reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    "The certificate of live.example.com is from an authority that this computer doesn't trust. If it is your own, start Tallylight with its file in NODE_EXTRA_CA_CERTS.",
  ],
  [{ code: 'tls', fault: 'not-tls', host, reason: 'EPROTO' }, "This port doesn't use TLS. Check the port."],
  [{ code: 'timed-out', afterMs: 5_000 }, "The service didn't answer within 5\u00a0s."],
  [{ code: 'closed' }, 'The service closed the connection without an answer.'],
  [{ code: 'not-http' }, "That server doesn't speak HTTP. Check the port."],
  [{ code: 'blocked-port', port: 6000 }, 'Port 6000 is blocked for HTTP, as in every browser. The service needs another port.'],
  [{ code: 'redirected' }, 'The service redirects to another address. Use the address of its API.'],
  [
    { code: 'redirected', to: 'https://www.example.com' },
    "The service redirects to https://www.example.com. The API key isn't sent there; if that's the right address, use it instead.",
  ],
  [{ code: 'key-refused', status: 401 }, 'The service refused the API key. Check that it is complete and not revoked.'],
  [{ code: 'key-lost' }, "The API key of this service can't be decrypted any more. Enter it again."],
  [{ code: 'too-many-requests' }, 'The service says that it gets too many requests. Try again later.'],
  [
    { code: 'too-many-requests', retryAfterSeconds: 6.2 },
    'The service says that it gets too many requests. Try again in 7\u00a0s.',
  ],
  [
    { code: 'too-many-requests', retryAfterSeconds: 3600, askedAgainInSeconds: 121 },
    'The service says that it gets too many requests. Tallylight asks again in 3\u00a0min.',
  ],
  [{ code: 'server-error', status: 500 }, 'The service has an internal error (500). Try again later.'],
  [
    { code: 'server-error', status: 503, retryAfterSeconds: 120 },
    'The service has an internal error (503). Try again in 120\u00a0s.',
  ],
  [{ code: 'no-such-stream' }, 'The service has no such stream. It may have been deleted there.'],
  [
    { code: 'not-offered', status: 404 },
    "The service doesn't know this request (404). Check the end of the address: many end in /api.",
  ],
  [{ code: 'refused', status: 400 }, 'The service refused the request (400).'],
  [{ code: 'refused', status: 400, says: 'No.' }, 'The service refused the request. It says: “No.”'],
  [{ code: 'not-json' }, "The service's answer isn't JSON. Check the address: it must be that of its API."],
  [{ code: 'too-large', maxBytes: 4 * 1024 * 1024 }, "The service's answer is larger than 4 MiB."],
  [{ code: 'nonsense', path: '' }, "The service's answer doesn't match the interface."],
  [{ code: 'nonsense', path: '0.id' }, "The service's answer doesn't match the interface (0.id)."],
  [{ code: 'no-ingest' }, 'The service lists no region to send to.'],
  [{ code: 'no-ingest', fault: 'address' }, 'The regions that the service lists have no RTMP ingest and HTTPS playback.'],
  [
    { code: 'no-ingest', fault: 'loopback' },
    "The regions that the service lists have addresses like 127.0.0.1, which lead to this computer instead of the service. In that service's settings, set its domain, or the URLs of its region.",
  ],
  [
    { code: 'no-ingest', fault: 'unencrypted' },
    'The regions that the service lists play over HTTP, without encryption. Give that service a TLS certificate, so that they play over HTTPS.',
  ],
];

test.each(sentences)('%o reads: %s', (failure, sentence) => {
  expect(describeRemoteFailure(failure)).toBe(sentence);
});

test('of a service that was fine, the address is doubted only if the failure lasts', () => {
  const changed = sentences.flatMap(([failure, sentence]) => {
    const now = describeRemoteFailure(failure, { wasFine: true });
    return now === sentence ? [] : [now];
  });
  expect(changed).toEqual([
    ...sentences.flatMap(([{ code }, sentence]) =>
      code === 'name-not-found' || code === 'connection-refused' ? [sentence.replace('Check', 'If this continues, check')] : [],
    ),
    "This port doesn't use TLS. If this continues, check the port.",
    "That server doesn't speak HTTP. If this continues, check the port.",
    'The service redirects to another address. If this continues, use the address of its API.',
    "The service doesn't know this request (404). If this continues, check the end of the address: many end in /api.",
    "The service's answer isn't JSON. If this continues, check the address: it must be that of its API.",
  ]);
  expect(changed.filter((sentence) => !sentence.includes('If this continues, '))).toEqual([]);
});

test('every failure has a sentence here', () => {
  const codes = RemoteFailure.options.map((option) => option.shape.code.value);
  expect([...new Set(sentences.map(([{ code }]) => code))].toSorted()).toEqual(codes.toSorted());
});
