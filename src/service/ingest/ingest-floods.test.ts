import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCountingWork } from '../../../test/support/count-work.ts';
import { soon } from '../../../test/support/soon.ts';

const { takeSteps } = await startCountingWork();
// Imported only after that, so that the work of these modules is counted.
const { startIngestStand } = await import('../../../test/support/ingest-stand.ts');
const { aacHeader, media, openPublishing, openRawPublisher } = await import('../../../test/support/raw-publisher.ts');
const { defaultIngestBounds } = await import('../config.ts');
const { ChunkWriter } = await import('../rtmp/chunk-writer.ts');
const { formatCommand } = await import('../rtmp/commands.ts');
const { formatSetChunkSize, formatUserControl, userControlEvent } = await import('../rtmp/messages.ts');

const published = ['NetStream.Publish.Start: The stream may be sent.'];

/** A message that is ignored, on chunk stream 40, in chunks of one byte. */
function formatMessageInBytes(sizeBytes: number): Buffer {
  const header = Buffer.from([40, 0, 0, 0, 0, 0, 0, 0x0f, 1, 0, 0, 0]);
  header.writeUIntBE(sizeBytes, 4, 3);
  const chunks = Buffer.alloc(2 * (sizeBytes - 1), Buffer.of(0, 0xc0 | 40));
  return Buffer.concat([header, chunks, Buffer.of(0)]);
}

/** Keeps a socket's buffer full until it closes. */
function flood(socket: Socket, bytes: Buffer): void {
  socket.on('error', () => {});
  const send = () => void (socket.writable && socket.write(bytes, send));
  send();
}

test('a program without a key gets only a few connections, and a publisher can still connect', async () => {
  await using stand = await startIngestStand({ bounds: { maxConnections: 12, maxWaitingPerAddress: 4 } });
  const idle: Socket[] = [];
  for (let turn = 0; turn < 40; turn += 1) idle.push(await stand.connect());
  await soon(() => expect(stand.server.connectionCount).toBe(4));
  expect(stand.logLines).toContainEqual(
    expect.objectContaining({
      msg: 'A connection that did not publish was closed.',
      reason: 'It waited longest without publishing, and others needed the connection.',
    }),
  );
  expect(stand.server.findProblem()).toBeUndefined();
  const publisher = await openPublishing(stand);
  expect(publisher.statuses()).toEqual(published);
  for (let turn = 0; turn < 40; turn += 1) idle.push(await stand.connect());
  publisher.send(media(8, aacHeader));
  await soon(() => expect(stand.publishers[0]?.received.length).toBe(1));
  expect(stand.server.connectionCount).toBeLessThanOrEqual(12);
  publisher.socket.destroy();
  for (const socket of idle) socket.destroy();
  await stand.allGone();
});

test('the number of waiting connections depends on whether the address has sent a valid key', async () => {
  const { maxWaitingPerAddress, maxWaitingPerKnownAddress } = defaultIngestBounds;
  expect([maxWaitingPerAddress, maxWaitingPerKnownAddress]).toEqual([16, 64]);
  await using stand = await startIngestStand();
  const idle: Socket[] = [];
  const crowd = async () => {
    for (let turn = 0; turn < 80; turn += 1) idle.push(await stand.connect());
  };
  await crowd();
  await soon(() => expect(stand.server.connectionCount).toBe(maxWaitingPerAddress));
  const publisher = await openPublishing(stand);
  await crowd();
  await soon(() => expect(stand.server.connectionCount).toBe(maxWaitingPerKnownAddress + 1));
  expect(publisher.statuses()).toEqual(published);
  for (const socket of idle) socket.destroy();
  publisher.socket.destroy();
  await stand.allGone();
});

test('refused connections that stay open make room at once', async () => {
  await using stand = await startIngestStand({ bounds: { maxWaitingPerAddress: 4 } });
  const connectElsewhere = Buffer.concat([
    Buffer.alloc(1 + 2 * 1536, Buffer.of(3)),
    new ChunkWriter().format(3, formatCommand(0, 'connect', 1, { app: 'elsewhere' })),
  ]);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let turn = 1; turn <= 20; turn += 1) {
    // This client reads nothing, so it doesn't notice that its connection is closed.
    (await stand.connect()).write(connectElsewhere);
    await soon(() => expect(stand.unheard).toHaveLength(turn));
  }
  expect(stand.server.connectionCount).toBe(4);
});

test('a connection that sends more than commands before publish is closed', async () => {
  await using stand = await startIngestStand();
  const keyless = await openRawPublisher(await stand.connect());
  keyless.send(formatSetChunkSize(1), 2);
  flood(keyless.socket, formatMessageInBytes(1_000));
  await stand.allGone();
  expect(stand.reasons()).toEqual(['Too many bytes arrived before publish.']);
});

test('bytes are not counted after publish, nor while the reply to a wrong key is delayed', async () => {
  await using stand = await startIngestStand({ bounds: { maxUnpublishedBytes: 20_000 } });
  const publisher = await openPublishing(stand);
  for (let turn = 0; turn < 5; turn += 1) publisher.send(media(8, Buffer.concat([aacHeader, Buffer.alloc(20_000)])));
  publisher.command(0, 'deleteStream', 0, null, 1);
  await publisher.heard('NetStream.Unpublish.Success');
  publisher.command(1, 'publish', 3, null, 'aaaa-bbbb-cccc-dddd', 'live');
  await soon(() => expect(publisher.statuses().filter((status) => status === published[0])).toHaveLength(2));
  expect(stand.reasons()).toEqual([]);
});

/**
 * Counts the work of turns of the event loop. Turns without any don't count: the data may not have arrived yet. Once the test is over,
 * even by its time limit, no turn passes: its floods end with it, and don't slow down the tests after it.
 */
function followTurns() {
  takeSteps();
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const stepsOfTurns: number[] = [];
  const passTurn = async () => {
    if (isOver) throw new Error('The test is over.');
    await nextTurn();
    const steps = takeSteps();
    if (steps > 0) stepsOfTurns.push(steps);
  };
  return { stepsOfTurns, passTurn };
}

/** Messages that a publisher may send at any time, each with a reply from us. */
const fcPublish = new ChunkWriter().format(3, formatCommand(0, 'FCPublish', 1, null, 'x'));
const ping = new ChunkWriter().format(2, formatUserControl(userControlEvent.pingRequest, 1));
const repeat = (bytes: Buffer) => Buffer.concat(Array.from({ length: Math.ceil(30_000 / bytes.length) }, () => bytes));

test.each([
  ['chunks of one byte', Buffer.concat([new ChunkWriter().format(2, formatSetChunkSize(1)), formatMessageInBytes(30_000)])],
  ['FCPublish', repeat(fcPublish)],
  ['pings', repeat(ping)],
])(
  'fifty connections flooding %s keep each event loop turn short, and a publisher beside them works',
  async (_, bytes) => {
    await using stand = await startIngestStand();
    const flooders = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => openPublishing(stand, `fff${index}-flood-flood-flood`)),
    );
    const publisher = await openPublishing(stand, 'good-good-good-good');
    const sink = stand.publishers.find(({ streamKey }) => streamKey === 'good-good-good-good');
    for (const { socket } of flooders) {
      // Replies are read but not parsed: parsing would count too.
      socket.removeAllListeners('data').resume();
      flood(socket, bytes);
    }
    // Give the floods time to build up.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const { stepsOfTurns, passTurn } = followTurns();
    const turnsOfMessages: number[] = [];
    for (let message = 1; message <= 5; message += 1) {
      publisher.send(media(8, aacHeader, message));
      const turnsBefore = stepsOfTurns.length;
      while (sink?.received.length !== message) await passTurn();
      turnsOfMessages.push(stepsOfTurns.length - turnsBefore);
    }
    expect(Math.max(...stepsOfTurns)).toBeLessThan(150_000);
    expect(Math.max(...turnsOfMessages)).toBeLessThan(60);
    for (const { socket } of flooders) socket.destroy();
  },
  60_000,
);

test('an aggregate of very many messages keeps each event loop turn short, and a publisher beside it works', async () => {
  await using stand = await startIngestStand();
  const flooder = await openPublishing(stand, 'fff0-flood-flood-flood');
  const publisher = await openPublishing(stand, 'good-good-good-good');
  const sinkOf = (key: string) => stand.publishers.find(({ streamKey }) => streamKey === key);
  const parts = 10_000;
  const part = Buffer.from('0800000200000000000000af010000000d', 'hex');
  const { stepsOfTurns, passTurn } = followTurns();
  flooder.send(media(22, Buffer.alloc(parts * part.length, part)));
  let turnsOfMessage = 0;
  publisher.send(media(8, aacHeader));
  while (sinkOf('fff0-flood-flood-flood')?.received.length !== parts) {
    await passTurn();
    if (sinkOf('good-good-good-good')?.received.length === 0) turnsOfMessage = stepsOfTurns.length;
  }
  expect(Math.max(...stepsOfTurns)).toBeLessThan(150_000);
  expect(turnsOfMessage).toBeLessThan(60);
}, 60_000);

test('everything a connection sent before it closed is read, however much', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.send(formatSetChunkSize(1), 2);
  publisher.socket.write(formatMessageInBytes(30_000));
  publisher.socket.end(Buffer.from([4, 0, 0, 0, 0, 0, 1, 8, 1, 0, 0, 0, 0xaf]));
  await stand.allGone();
  expect(stand.publishers[0]?.ends).toEqual([
    { kind: 'lost', cause: { code: 'protocol', fault: 'An audio message is too short.' } },
  ]);
});

test('connections that never publish leave at most 50 lines in the log, however they end', async () => {
  await using stand = await startIngestStand({ now: () => 0 });
  const leave = [
    (socket: Socket) => socket.end(),
    (socket: Socket) => socket.resetAndDestroy(),
    (socket: Socket) => socket.end('GET / HTTP/1.1'),
  ];
  for (let turn = 0; turn < 90; turn += 1) {
    const socket = await stand.connect();
    leave[turn % leave.length]?.(socket.resume());
    await stand.allGone();
  }
  const ofStrangers = stand.logLines.length;
  const publisher = await openPublishing(stand);
  publisher.socket.end();
  await stand.allGone();
  expect(ofStrangers).toBe(50);
  expect(stand.logLines.slice(50).map(({ msg }) => msg)).toEqual(['A publisher started.', 'A publisher disconnected.']);
});

test('after floods no socket, timer or turn remains', async () => {
  const countOpen = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Immediate/.test(name)).length;
  // Handles of files that this worker ran before.
  const before = countOpen();
  {
    await using stand = await startIngestStand();
    for (let turn = 0; turn < 30; turn += 1) flood(await stand.connect(), Buffer.alloc(50_000, 3));
    for (let turn = 0; turn < 30; turn += 1) await stand.connect();
    await soon(() => expect(stand.server.connectionCount).toBeLessThanOrEqual(16));
  }
  await soon(() => expect(countOpen()).toBeLessThanOrEqual(before));
});
