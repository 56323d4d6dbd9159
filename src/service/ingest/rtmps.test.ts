import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type IngestStand, refusedStreamKey, startIngestStand } from '../../../test/support/ingest-stand.ts';
import { avcHeader, someStreamKey as key, media, openRawPublisher } from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { makeTlsFiles, type TestPair, tlsAuthority } from '../../../test/support/tls-fixtures.ts';
import type { IngestBounds } from '../config.ts';
import { openTlsFiles, type TlsFiles } from '../tls/tls-files.ts';

let disk: ReturnType<typeof makeTlsFiles>;
let files: TlsFiles;
beforeEach(async () => {
  disk = makeTlsFiles();
  files = await openTlsFiles(disk.paths, { clock: { now: Date.now }, log: createTestLog().log, checkMs: 5 });
});
afterEach(async () => {
  await files.close();
  rmSync(disk.folder, { recursive: true });
});

const start = (bounds: Partial<IngestBounds> = {}) => startIngestStand({ tls: files, bounds });

async function openSecurely({ server }: IngestStand, pair: TestPair = 'first') {
  const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: tlsAuthority(pair) });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return openRawPublisher(socket);
}

/** A fatal alert that a client sends instead of its key exchange: `unknown_ca` (RFC 5246 §7.2). Node's own client sends none. */
const unknownAuthority = Buffer.from([21, 3, 3, 0, 2, 2, 48]);

/** The first bytes that a client of TLS 1.2 sends. */
async function makeClientHello(): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  await using wire = new Duplex({ read: () => {}, write: (bytes) => resolve(bytes) });
  connectTls({ socket: wire, maxVersion: 'TLSv1.2' }).on('error', () => {});
  return await promise;
}

test('one port takes RTMPS and RTMP', async () => {
  await using stand = await start();
  const secure = await openSecurely(stand);
  await secure.publish(key);
  expect(secure.statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  const plain = await openRawPublisher(await stand.connect());
  await plain.publish(key);
  expect(plain.statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  expect(stand.publishers.map(({ publisher }) => publisher.protocol)).toEqual(['RTMPS', 'RTMP']);
  secure.send(media(9, avcHeader));
  await soon(() => expect(stand.publishers[0]?.received).toHaveLength(1));
});

test('a refused key gets its sentence over RTMPS too', async () => {
  await using stand = await start();
  const publisher = await openSecurely(stand);
  await publisher.publish(refusedStreamKey);
  await publisher.closed;
  expect(publisher.statuses()).toEqual(['NetStream.Publish.BadName: Unknown stream key. Copy it again from Tallylight.']);
  await stand.allGone();
});

test('a renewed certificate does not disconnect a publisher, and the next one gets it', async () => {
  await using stand = await start();
  const publisher = await openSecurely(stand);
  await publisher.publish(key);
  disk.renewKey('renewed');
  disk.renewCertificate('renewed');
  await soon(() => expect(files.pair.certificate.equals(tlsAuthority('renewed'))).toBe(true));
  await (await openSecurely(stand, 'renewed')).publish(key);
  publisher.send(media(9, avcHeader));
  await soon(() => expect(stand.publishers[0]?.received).toHaveLength(1));
  expect(stand.publishers.map(({ ends }) => ends)).toEqual([[], []]);
});

test('connections that show nothing, or half a handshake, are closed in time', async () => {
  await using stand = await start({ handshakeTimeoutMs: 100 });
  for (const bytes of ['', Buffer.from([0x16, 3, 1])]) {
    const socket = await stand.connect();
    if (bytes.length > 0) socket.write(bytes);
    await once(socket.resume(), 'close');
  }
});

test('an address that opens many makes room for its next ones, and who publishes stays', async () => {
  await using stand = await start({ maxWaitingPerKnownAddress: 3 });
  const publisher = await openSecurely(stand);
  await publisher.publish(key);
  const silent = [];
  for (let count = 0; count < 3; count += 1) silent.push(await stand.connect());
  const closed = once((silent[0] as (typeof silent)[0]).resume(), 'close');
  const late = await openSecurely(stand);
  await closed;
  await late.publish(key);
  expect(late.statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  expect(stand.publishers.map(({ ends }) => ends)).toEqual([[], []]);
  expect(silent.map(({ closed }) => closed)).toEqual([true, false, false]);
});

// macOS has no other loopback address than 127.0.0.1.
test.skipIf(process.platform === 'darwin')('connections that have shown nothing are counted by address', async () => {
  await using stand = await start({ maxWaitingPerAddress: 2 });
  const silent: Socket[] = [];
  for (const localAddress of ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.2']) {
    const socket = connect({ port: stand.server.port, host: '127.0.0.1', localAddress }).resume();
    silent.push(socket);
    await once(socket, 'connect');
  }
  await once(silent[2] as Socket, 'close');
  expect(silent.map(({ closed }) => closed)).toEqual([false, false, true, false, false]);
  for (const socket of silent) socket.destroy();
});

test('an address may have more that have shown nothing yet once it has sent a valid key', async () => {
  await using stand = await start({ maxWaitingPerAddress: 2, maxWaitingPerKnownAddress: 4 });
  const silent: Socket[] = [];
  const openSilently = async (count: number) => {
    for (let opened = 0; opened < count; opened += 1) silent.push((await stand.connect()).resume());
  };
  await openSilently(3);
  await soon(() => expect(silent.map(({ closed }) => closed)).toEqual([true, false, false]));
  await (await openSecurely(stand)).publish(key);
  await soon(() => expect(silent.map(({ closed }) => closed)).toEqual([true, true, false]));
  await openSilently(3);
  await (await openSecurely(stand)).publish('other');
  await soon(() => expect(silent.map(({ closed }) => closed)).toEqual([true, true, true, false, false, false]));
});

test('a publisher that rejects the certificate is reported, and any other failed handshake is only logged', async () => {
  await using stand = await start();
  const failures = () => stand.logLines.filter(({ msg }) => msg === 'A TLS handshake failed.').map(({ reason }) => reason);
  const distrustful = await stand.connect();
  distrustful.write(await makeClientHello());
  await once(distrustful, 'data');
  distrustful.write(unknownAuthority, () => {
    // Its address must be known although it is gone at once. Other systems may drop unread data.
    if (process.platform === 'linux') distrustful.resetAndDestroy();
  });
  await soon(() => expect(failures()).toEqual([expect.stringMatching(/_ALERT_UNKNOWN_CA$/)]));
  expect(stand.unheard).toEqual(['127.0.0.1: certificate']);
  const outdated = connectTls({
    port: stand.server.port,
    host: '127.0.0.1',
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    ciphers: 'ALL:@SECLEVEL=0',
  });
  await once(outdated, 'error');
  await soon(() => expect(failures()).toEqual([expect.anything(), 'ERR_SSL_UNSUPPORTED_PROTOCOL']));
  expect(stand.unheard).toHaveLength(1);
});

test('a publisher that closes its connection is gone at once', async () => {
  await using stand = await start();
  const publisher = await openSecurely(stand);
  await publisher.publish(key);
  publisher.socket.end();
  await publisher.closed;
  await stand.allGone();
  expect(stand.publishers.map(({ ends }) => ends)).toEqual([[{ kind: 'lost', cause: { code: 'closed' } }]]);
});

test('closing ends connections in every state', async () => {
  await using stand = await start();
  const silent = await stand.connect();
  const half = await stand.connect();
  half.write(Buffer.from([0x16, 3, 1]));
  const publisher = await openSecurely(stand);
  await publisher.publish(key);
  const closed = [silent, half].map((socket) => once(socket.resume(), 'close'));
  await stand.server.close();
  await Promise.all([...closed, publisher.closed]);
  expect(publisher.statuses().at(-1)).toMatch(/^NetStream\.Publish\.Failed: /);
});
