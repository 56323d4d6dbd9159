import { expect, test } from 'vitest';
import type { IngestFailure, TlsFault } from '../model/ingest-failure.ts';
import { describeIngestFailure } from './ingest-failure-words.ts';

const tls = (fault: TlsFault) => ({ code: 'tls' as const, fault, host: 'live.example.com', reason: 'EPROTO' });

/** Every failure, with its sentence. */
const words: { [Code in IngestFailure['code']]: [Extract<IngestFailure, { code: Code }>, string][] } = {
  'wrong-address': [
    [{ code: 'wrong-address' }, 'The address must start with rtmp:// or rtmps://, like rtmps://live.example.com/app.'],
  ],
  'name-not-found': [
    [
      { code: 'name-not-found', host: 'live.exmaple.com' },
      'There is no server named live.exmaple.com. Check the address for typing errors.',
    ],
  ],
  'lookup-failed': [
    [
      { code: 'lookup-failed', host: 'live.example.com' },
      "Can't look up live.example.com. Check this computer's internet connection.",
    ],
  ],
  'connection-refused': [
    [
      { code: 'connection-refused', address: 'live.example.com:1935' },
      'live.example.com:1935 refused the connection. Check the address and the port, and that the ingest is running.',
    ],
  ],
  unreachable: [
    [
      { code: 'unreachable', address: '[2001:db8::1]:1935', reason: 'ENETUNREACH' },
      "Can't reach [2001:db8::1]:1935 (ENETUNREACH). Check this computer's internet connection.",
    ],
  ],
  'timed-out': [
    [
      { code: 'timed-out', during: 'connect', afterMs: 10_000 },
      "The ingest didn't respond to the connection within 10\u00a0s.",
    ],
    [{ code: 'timed-out', during: 'tls', afterMs: 5_000 }, "The ingest didn't respond to the TLS handshake within 5\u00a0s."],
    [
      { code: 'timed-out', during: 'handshake', afterMs: 50 },
      "The ingest didn't respond to the RTMP handshake within 0.05\u00a0s.",
    ],
    [
      { code: 'timed-out', during: 'app', afterMs: 10_000 },
      "The ingest didn't respond to the connect command within 10\u00a0s.",
    ],
    [
      { code: 'timed-out', during: 'publish', afterMs: 10_000 },
      "The ingest didn't respond to the stream key within 10\u00a0s.",
    ],
    [
      { code: 'timed-out', during: 'started', afterMs: 10_000 },
      "The ingest didn't respond to the first media within 10\u00a0s.",
    ],
    [{ code: 'timed-out', during: 'sending', afterMs: 10_000 }, "The ingest didn't respond to the media within 10\u00a0s."],
  ],
  tls: [
    [
      tls('expired'),
      "The certificate of live.example.com has expired. Check this computer's clock; if it's right, only the ingest's operator can help.",
    ],
    [tls('not-yet-valid'), "The certificate of live.example.com isn't valid yet. Check this computer's clock."],
    [
      tls('revoked'),
      "The certificate of live.example.com was revoked, so the connection isn't safe. Only the ingest's operator can help.",
    ],
    [
      tls('wrong-name'),
      "The server's certificate isn't for live.example.com. Check the address, and whether this network asks you to sign in first.",
    ],
    [
      tls('untrusted'),
      "The certificate of live.example.com is from an authority that this computer doesn't trust. If it is your own, start Tallylight with its file in NODE_EXTRA_CA_CERTS.",
    ],
    [tls('not-tls'), "This port doesn't use TLS. Use rtmp:// in the address, or the port for RTMPS."],
    [tls('failed'), 'No secure connection to live.example.com (EPROTO).'],
  ],
  'not-rtmp': [
    [{ code: 'not-rtmp', speaks: 'http' }, "That's a web server, not an RTMP ingest. Check the port."],
    [{ code: 'not-rtmp', speaks: 'tls' }, 'This port expects RTMPS. Use rtmps:// in the address.'],
    [{ code: 'not-rtmp', speaks: 'unknown' }, "That server doesn't speak RTMP. Check the address and the port."],
  ],
  'wrong-app': [
    [{ code: 'wrong-app' }, "The ingest doesn't know the path of this address."],
    [
      { code: 'wrong-app', says: 'The address must end in /live. The stream key comes after it.' },
      "The ingest doesn't know the path of this address. The ingest says: “The address must end in /live. The stream key comes after it.”",
    ],
  ],
  'key-refused': [
    [
      { code: 'key-refused', says: 'Invalid stream key' },
      'The ingest refused the stream key. Go live again: Tallylight then reads the current one. If it is refused again, check the stream at the service. The ingest says: “Invalid stream key”',
    ],
  ],
  'key-held': [
    [
      { code: 'key-held', says: 'Failed' },
      "The ingest refuses the stream key it accepted before. It probably hasn't noticed yet that the connection was lost, and will accept the key again once it has. If the stream has a new key, stop and go live again. The ingest says: “Failed”",
    ],
  ],
  'stream-unknown': [
    [
      { code: 'stream-unknown', region: 'jfk' },
      "The region JFK doesn't have this stream, so it refused the stream key. Regions don't share streams. Choose another region in Regions, or give that computer a copy of this one's data folder.",
    ],
    [
      { code: 'stream-unknown', region: 'jfk', ofService: true },
      "The region JFK doesn't have this stream, so it refused the stream key. The regions of this service don't share streams.",
    ],
  ],
  'already-publishing': [
    [
      { code: 'already-publishing', says: 'Already publishing' },
      "Another encoder is sending with this stream key, or the ingest hasn't noticed yet that it left. The ingest says: “Already publishing”",
    ],
  ],
  'taken-over': [
    [{ code: 'taken-over', says: 'OBS Studio took over this stream key.' }, 'Another encoder took over this stream key.'],
  ],
  'unsupported-codec': [[{ code: 'unsupported-codec' }, "The ingest doesn't support this video or audio codec."]],
  refused: [
    [{ code: 'refused' }, 'The ingest refused the stream (no reason given).'],
    [{ code: 'refused', status: 'NetStream.Failed' }, 'The ingest refused the stream (NetStream.Failed).'],
    [
      { code: 'refused', status: 'NetStream.Failed', says: 'This stream is suspended.' },
      'The ingest refused the stream. The ingest says: “This stream is suspended.”',
    ],
  ],
  closed: [
    [{ code: 'closed', during: 'connect' }, 'The ingest closed the connection at once.'],
    [
      { code: 'closed', during: 'tls' },
      'The ingest closed the connection during the TLS handshake. It may not support RTMPS on this port.',
    ],
    [
      { code: 'closed', during: 'handshake' },
      'The ingest closed the connection during the RTMP handshake. Check the address and the port.',
    ],
    [{ code: 'closed', during: 'app' }, 'The ingest closed the connection when it got the path. Check the end of the address.'],
    [
      { code: 'closed', during: 'publish' },
      'The ingest closed the connection when it got the stream key. Usually, that means the key is wrong.',
    ],
    [
      { code: 'closed', during: 'started' },
      'The ingest accepted the stream and closed the connection at once. The key may be wrong, or not allowed to stream.',
    ],
    [{ code: 'closed', during: 'sending' }, 'The ingest closed the connection.'],
  ],
  'connection-broke': [[{ code: 'connection-broke', reason: 'ECONNRESET' }, 'Lost the connection to the ingest (ECONNRESET).']],
  'takes-no-data': [[{ code: 'takes-no-data', forMs: 300 }, 'The ingest has accepted no data for 0.3\u00a0s.']],
  protocol: [[{ code: 'protocol', fault: 'A chunk is too long.' }, 'The ingest broke the RTMP protocol: A chunk is too long.']],
  said: [[{ code: 'said', text: 'No route.' }, 'No route.']],
  internal: [[{ code: 'internal' }, 'Publishing failed.']],
};

test.each(Object.values(words).flat())('describes %j', (failure, sentence) => {
  expect(describeIngestFailure(failure)).toBe(sentence);
});
