import { expect, test } from 'vitest';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { startIngestStand } from '../../../test/support/ingest-stand.ts';
import { startOddServer } from '../../../test/support/odd-server.ts';
import { soon } from '../../../test/support/soon.ts';
import { sendTag } from '../../../test/support/tag-role.ts';
import { testAuthority } from '../../../test/support/tls-fixtures.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { type RtmpPublisherOptions, startRtmpPublisher } from './rtmp-client.ts';

function publishTo(url: string, options: Partial<RtmpPublisherOptions> = {}) {
  return startRtmpPublisher({
    url,
    streamKey: 'abcd-efgh-ijkl-mnop',
    authorities: [testAuthority],
    signal: new AbortController().signal,
    ...options,
  });
}

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof PublishError ? error.failure : error;
}

test.each([
  ['localhost', 'localhost'],
  // RFC 6066 §3: no addresses.
  ['127.0.0.1', false],
])('media arrives over RTMPS at %s, and SNI says %s', async (host, name) => {
  await using stand = await startIngestStand();
  await using front = await startFaultProxy(stand.server.port, { certificate: 'ingest' });
  const publisher = await publishTo(`rtmps://${host}:${front.port}/live`);
  for (const tag of [videoHeader(), videoFrame(0, { keyframe: true, sizeBytes: 200_000 })]) sendTag(publisher, tag);
  await soon(() => expect(stand.publishers[0]?.received).toHaveLength(2));
  await publisher.close();
  await stand.allGone();
  expect(await publisher.closed).toEqual({ kind: 'closed-by-us' });
  expect(stand.publishers).toMatchObject([{ streamKey: 'abcd-efgh-ijkl-mnop', ends: [{ kind: 'unpublished' }] }]);
  expect(front.names).toEqual([name]);
});

test.each([
  ['an expired certificate', 'expired', [testAuthority], { fault: 'expired', reason: 'CERT_HAS_EXPIRED' }],
  [
    'a certificate for another name',
    'elsewhere',
    [testAuthority],
    { fault: 'wrong-name', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  ],
  ['an authority that nobody knows', 'ingest', [], { fault: 'untrusted', reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
] as const)('%s is refused before the key is sent', async (_, certificate, authorities, fault) => {
  await using stand = await startIngestStand();
  await using front = await startFaultProxy(stand.server.port, { certificate });
  expect(await failureOf(publishTo(`rtmps://localhost:${front.port}/live`, { authorities }))).toEqual({
    code: 'tls',
    host: 'localhost',
    ...fault,
  });
  expect([front.names, stand.askedKeys]).toEqual([[], []]);
});

test('a port without TLS says so', async () => {
  await using server = await startOddServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await failureOf(publishTo(`rtmps://127.0.0.1:${server.port}/live`))).toMatchObject({ code: 'tls', fault: 'not-tls' });
});

test('a port that closes as TLS begins says so', async () => {
  await using server = await startOddServer((socket) => socket.end());
  expect(await failureOf(publishTo(`rtmps://127.0.0.1:${server.port}/live`))).toEqual({ code: 'closed', during: 'tls' });
});

test('plain RTMP at a port with TLS is told to use RTMPS', async () => {
  // OpenSSL's answer to a first packet that isn't TLS: the alert `protocol_version` (RFC 8446 §6).
  await using server = await startOddServer((socket) => {
    socket.once('data', () => socket.end(Buffer.from('15030100020246', 'hex')));
  });
  expect(await failureOf(publishTo(`rtmp://127.0.0.1:${server.port}/live`))).toEqual({ code: 'not-rtmp', speaks: 'tls' });
});

test('the TLS handshake has a time limit of its own, besides that of each step', async () => {
  await using server = await startOddServer((socket) => socket.resume());
  const url = `rtmps://127.0.0.1:${server.port}/live`;
  const limits = [{ tlsTimeoutMs: 50 }, { stepTimeoutMs: 1_000 }];
  expect(await Promise.all(limits.map((limit) => failureOf(publishTo(url, limit))))).toEqual([
    { code: 'timed-out', during: 'tls', afterMs: 50 },
    { code: 'timed-out', during: 'tls', afterMs: 1_000 },
  ]);
  await soon(() => expect([...server.sockets].map(({ destroyed }) => destroyed)).toEqual([true, true]));
});

test("aborting during the TLS handshake rejects with the signal's reason", async () => {
  const abort = new AbortController();
  await using server = await startOddServer((socket) => socket.once('data', () => abort.abort('enough')));
  expect(await failureOf(publishTo(`rtmps://127.0.0.1:${server.port}/live`, { signal: abort.signal }))).toBe('enough');
});

test('an address that is no ingest URL is refused without an attempt', async () => {
  expect(await failureOf(publishTo('https://live.example.com/app'))).toEqual({ code: 'wrong-address' });
});
