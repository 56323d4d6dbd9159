import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startIngestStand } from '../../../test/support/ingest-stand.ts';
import {
  avcHeader,
  someStreamKey as key,
  media,
  openPublishing,
  openRawPublisher,
} from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import type { Amf0Value } from '../rtmp/amf0.ts';
import { formatSetChunkSize, formatUserControl, formatWindowAcknowledgementSize } from '../rtmp/messages.ts';

test('a publisher gets the replies that encoders wait for, in order', async () => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app: 'live', tcUrl: 'rtmp://127.0.0.1/live' });
  publisher.command(0, 'releaseStream', 2, null, key);
  publisher.command(0, 'FCPublish', 3, null, key);
  publisher.command(0, 'createStream', 4, null);
  publisher.command(0, '_checkbw', 5, null);
  publisher.command(1, 'publish', 6, null, key, 'live');
  await publisher.heard('NetStream.Publish.Start');
  expect(
    publisher.messages.map(({ typeId, payload }) => (typeId === 20 ? 'command' : `${typeId} ${payload.toString('hex')}`)),
  ).toEqual(['5 002625a0', '6 002625a002', ...Array(6).fill('command'), '4 000000000001', 'command']);
  expect(publisher.commands.map(({ name, transactionId, values }) => [name, transactionId, ...values])).toEqual([
    [
      '_result',
      1,
      { fmsVer: 'FMS/3,0,1,123', capabilities: 31 },
      { level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.', objectEncoding: 0 },
    ],
    ['_result', 2, null, undefined],
    ['_result', 3, null, undefined],
    ['onFCPublish', 0, null, { level: 'status', code: 'NetStream.Publish.Start', description: 'The stream may be sent.' }],
    ['_result', 4, null, 1],
    ['_result', 5, null, undefined],
    ['onStatus', 0, null, { level: 'status', code: 'NetStream.Publish.Start', description: 'The stream may be sent.' }],
  ]);
  expect(stand.askedKeys).toEqual([key]);
});

test.each<[string, Amf0Value[]]>([
  ['without a name', []],
  ['whose name is a number', [7]],
])('a publish command %s breaks the protocol', async (_what, names) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app: 'live' });
  publisher.command(1, 'publish', 2, null, ...names);
  await publisher.closed;
  expect([stand.reasons(), stand.askedKeys]).toEqual([['A publish command has no stream key.'], []]);
});

test('parameters appended to the stream key are ignored', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand, `${key}?bandwidthtest=true&x=y?z`);
  expect(publisher.statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  expect(stand.askedKeys).toEqual([key]);
});

test.each<[string, Amf0Value]>([
  ['fourCcList', ['hvc1', 'avc1']],
  ['videoFourCcInfoMap', { '*': 2 }],
  ['audioFourCcInfoMap', { Opus: 2 }],
])('a publisher with Enhanced RTMP (%s) is told which codecs are supported', async (name, value) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app: 'live', [name]: value });
  await soon(() => expect(publisher.commands).toHaveLength(1));
  expect(publisher.commands[0]?.values[0]).toEqual({
    fmsVer: 'FMS/3,0,1,123',
    capabilities: 31,
    videoFourCcInfoMap: { avc1: 5, hvc1: 5, av01: 5 },
    audioFourCcInfoMap: { mp4a: 5, Opus: 5 },
    capsEx: 0,
  });
});

test.each(['live', 'live/', '/live', 'live?token=1', 'live/?a=b'])('the application name may be written %s', async (app) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app });
  publisher.command(1, 'publish', 2, null, key, 'live');
  await publisher.heard('NetStream.Publish.Start');
});

test.each<[string, Amf0Value]>([
  ['another application', { app: 'other' }],
  ['a longer one', { app: 'live2' }],
  ['none', {}],
  ['no command object', null],
])('%s is refused with a sentence that does not repeat it', async (_, commandObject) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, commandObject);
  await publisher.closed;
  const description = 'The address must end in /live. The stream key comes after it.';
  expect(publisher.commands).toEqual([
    {
      name: '_error',
      transactionId: 1,
      values: [null, { level: 'error', code: 'NetConnection.Connect.InvalidApp', description, reason: 'wrong-app' }],
    },
  ]);
  expect(stand.reasons()).toEqual([description]);
  expect(stand.unheard).toEqual(['127.0.0.1: wrong-app']);
});

test('a player does not count as a refused publisher, a TLS connection does', async () => {
  await using stand = await startIngestStand();
  const player = await openRawPublisher(await stand.connect());
  player.command(0, 'connect', 1, { app: 'live' });
  player.command(0, 'createStream', 2, null);
  player.command(1, 'play', 3, null, 'some-key');
  await player.closed;
  expect(stand.unheard).toEqual([]);
  // A ClientHello (RFC 8446 §5.1).
  const secure = await stand.connect();
  secure.write(Buffer.from('16030100c8010000', 'hex'));
  await once(secure.resume(), 'close');
  expect(stand.unheard).toEqual(['127.0.0.1: rtmps']);
});

test.each(['play', 'play2'])('%s is refused with a sentence', async (command) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app: 'live' });
  publisher.command(1, command, 0, null, key);
  await publisher.closed;
  expect(publisher.statuses()).toEqual([
    "NetStream.Play.Failed: RTMP playback isn't supported. Viewers open the HLS playback URL.",
  ]);
});

test('an unknown command that expects a reply gets an error, and publishing continues', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.command(0, 'odd', 9, null);
  publisher.command(0, 'odd', 0, null);
  await soon(() => expect(publisher.commands.at(-1)?.transactionId).toBe(9));
  expect(publisher.commands.at(-1)).toMatchObject({ name: '_error', values: [null, { code: 'NetConnection.Call.Failed' }] });
  expect(stand.publishers[0]?.ends).toEqual([]);
});

test('commands with the number 0 get no answer', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  const before = publisher.commands.length;
  for (const name of ['releaseStream', 'FCPublish', 'createStream', '_checkbw']) publisher.command(0, name, 0, null, key);
  publisher.command(0, '_checkbw', 10, null);
  await soon(() => expect(publisher.commands.at(-1)?.transactionId).toBe(10));
  const answers = publisher.commands.slice(before).map(({ name, transactionId }) => [name, transactionId]);
  expect(answers).toEqual([
    ['onFCPublish', 0],
    ['_result', 10],
  ]);
});

test('answers of a publisher get no answer, whatever their number', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  const before = publisher.commands.length;
  for (const name of ['_result', '_error', 'onStatus']) publisher.command(0, name, 9, null);
  publisher.command(0, '_checkbw', 10, null);
  await soon(() => expect(publisher.commands.at(-1)?.transactionId).toBe(10));
  expect(publisher.commands.slice(before).map(({ name, transactionId }) => [name, transactionId])).toEqual([['_result', 10]]);
});

test('FCUnpublish gets the replies that encoders wait for, in order', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  const before = publisher.commands.length;
  publisher.command(0, 'FCUnpublish', 7, null, key);
  await soon(() => expect(publisher.commands).toHaveLength(before + 3));
  const ended = { level: 'status', code: 'NetStream.Unpublish.Success', description: 'The stream has ended.' };
  expect(publisher.commands.slice(before).map(({ name, transactionId, values }) => [name, transactionId, ...values])).toEqual([
    ['_result', 7, null, undefined],
    ['onFCUnpublish', 0, null, ended],
    ['onStatus', 0, null, ended],
  ]);
});

test.each(['FCUnpublish', 'closeStream', 'deleteStream'])('%s ends the stream, and another may follow', async (command) => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.command(0, command, 7, null, 1);
  await publisher.heard('NetStream.Unpublish.Success');
  expect(stand.publishers[0]?.ends).toEqual([{ kind: 'unpublished' }]);
  publisher.command(1, 'publish', 8, null, 'other', 'live');
  await soon(() => expect(stand.askedKeys).toEqual([key, 'other']));
  publisher.socket.end();
  await stand.allGone();
  expect(stand.publishers.map(({ ends }) => ends.length)).toEqual([1, 1]);
});

test('a publisher that publishes once more on its connection could send only since then', async () => {
  let now = 1_000;
  const since: number[] = [];
  await using stand = await startIngestStand({ now: () => now, onAdmit: ({ connectedAt }) => void since.push(connectedAt) });
  const publisher = await openPublishing(stand);
  publisher.command(0, 'deleteStream', 7, null, 1);
  await publisher.heard('NetStream.Unpublish.Success');
  now += 3_600_000;
  publisher.command(1, 'publish', 8, null, 'other', 'live');
  await soon(() => expect(since).toEqual([1_000, 3_601_000]));
});

test('publish with the name false ends the stream, as Wirecast ends it', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.command(1, 'publish', 0, null, false);
  await publisher.heard('NetStream.Unpublish.Success');
  expect(stand.publishers[0]?.ends).toEqual([{ kind: 'unpublished' }]);
  publisher.command(1, 'publish', 0, null, false);
  publisher.command(1, 'publish', 8, null, 'other', 'live');
  await soon(() => expect(stand.askedKeys).toEqual([key, 'other']));
  expect(stand.reasons()).toEqual([]);
});

test('pings are answered', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.send(formatUserControl(6, 0xcafe), 2);
  await soon(() => expect(publisher.messages.at(-1)?.payload.toString('hex')).toBe('00070000cafe'));
});

test('received bytes are acknowledged after each window that the publisher sets', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.send(formatWindowAcknowledgementSize(10_000), 2);
  for (let turn = 0; turn < 3; turn += 1) publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(10_000)])), 6);
  await soon(() => {
    const last = publisher.messages.filter(({ typeId }) => typeId === 3).at(-1);
    expect(last?.payload.readUInt32BE()).toBeGreaterThan(30_000);
  });
  expect(publisher.socket.bytesWritten).toBeGreaterThanOrEqual(
    publisher.messages
      .filter(({ typeId }) => typeId === 3)
      .at(-1)
      ?.payload.readUInt32BE() ?? 0,
  );
});

test('a publisher that asks for fewer acknowledgements than it has to wait for gets them in time', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.send(formatWindowAcknowledgementSize(5_000_000), 2);
  publisher.send(formatSetChunkSize(2 ** 20), 2);
  // As much as Set Peer Bandwidth lets it send before an acknowledgement.
  publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(2_500_000)])), 6);
  await soon(() => expect(publisher.messages.at(-1)?.typeId).toBe(3));
  expect(publisher.messages.at(-1)?.payload.readUInt32BE()).toBeGreaterThan(2_500_000);
});

test.each<[string, number, string, Amf0Value[]]>([
  ['deletes', 0, 'deleteStream', [null, 1]],
  ['closes', 1, 'closeStream', [null]],
])('a publisher that %s a message stream on which it publishes nothing is not at its end', async (_what, on, name, values) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app: 'live' });
  publisher.command(0, 'createStream', 2, null);
  publisher.command(0, 'createStream', 3, null);
  publisher.command(2, 'publish', 4, null, key, 'live');
  await publisher.heard('NetStream.Publish.Start');
  publisher.command(on, name, 0, ...values);
  // The media after it has been taken.
  publisher.command(0, '_checkbw', 5, null);
  await soon(() => expect(publisher.commands.at(-1)?.transactionId).toBe(5));
  expect(stand.publishers[0]?.ends).toEqual([]);
  publisher.command(0, 'deleteStream', 0, null, 2);
  await soon(() => expect(stand.publishers[0]?.ends).toEqual([{ kind: 'unpublished' }]));
});

test.each([
  ['deleting a stream ends a publication on a message stream that was never created', 0, 1],
  ['deleting a stream that was never created ends the publication', 1, 7],
])('%s', async (_what, publishedOn, deleted) => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.command(0, 'connect', 1, { app: 'live' });
  publisher.command(0, 'createStream', 2, null);
  publisher.command(publishedOn, 'publish', 3, null, key, 'live');
  await publisher.heard('NetStream.Publish.Start');
  publisher.command(0, 'deleteStream', 0, null, deleted);
  await soon(() => expect(stand.publishers[0]?.ends).toEqual([{ kind: 'unpublished' }]));
});
