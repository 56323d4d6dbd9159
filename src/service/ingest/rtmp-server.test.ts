import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusedStreamKey, startIngestStand } from '../../../test/support/ingest-stand.ts';
import { openRawPublisher } from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { type Amf0Value, formatAmf0 } from '../rtmp/amf0.ts';
import { ChunkWriter } from '../rtmp/chunk-writer.ts';
import { formatCommand } from '../rtmp/commands.ts';
import { formatSetChunkSize, formatUserControl, formatWindowAcknowledgementSize } from '../rtmp/messages.ts';
import { startRtmpServer } from './rtmp-server.ts';

const key = 'abcd-efgh-ijkl-mnop';
const avcHeader = Buffer.from('1700000000014d', 'hex');
const aacHeader = Buffer.from('af001190', 'hex');

async function openPublishing(stand: Awaited<ReturnType<typeof startIngestStand>>, streamKey = key) {
  const publisher = await openRawPublisher(await stand.connect());
  await publisher.publish(streamKey);
  return publisher;
}

function media(typeId: number, payload: Buffer, timestampMs = 0) {
  return { typeId, streamId: 1, timestampMs, payload };
}

describe('the dialogue', () => {
  test('a publisher hears what encoders wait for, in order', async () => {
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

  test.each(['live', 'live/', '/live', 'live?token=1', 'live/?a=b'])('the application may be written %s', async (app) => {
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
    const description = 'The address must end in /live, followed by the stream key.';
    expect(publisher.commands).toEqual([
      {
        name: '_error',
        transactionId: 1,
        values: [null, { level: 'error', code: 'NetConnection.Connect.InvalidApp', description }],
      },
    ]);
    expect(stand.reasons()).toEqual([description]);
  });

  test('parameters after the stream key are not part of it', async () => {
    await using stand = await startIngestStand();
    await openPublishing(stand, `${key}?backup=1`);
    expect(stand.askedKeys).toEqual([key]);
  });

  test('playing is refused with a sentence', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.command(0, 'connect', 1, { app: 'live' });
    publisher.command(1, 'play', 0, null, key);
    await publisher.closed;
    expect(publisher.statuses()).toEqual([
      'NetStream.Play.Failed: Nothing is played over RTMP; viewers open the HLS playback URL.',
    ]);
  });

  test('an unknown command that expects an answer gets an error, and publishing goes on', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.command(0, 'odd', 9, null);
    publisher.command(0, 'odd', 0, null);
    await soon(() => expect(publisher.commands.at(-1)?.transactionId).toBe(9));
    expect(publisher.commands.at(-1)).toMatchObject({ name: '_error', values: [null, { code: 'NetConnection.Call.Failed' }] });
    expect(stand.publishers[0]?.ends).toEqual([]);
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

  test('pings are answered', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.send(formatUserControl(6, 0xcafe), 2);
    await soon(() => expect(publisher.messages.at(-1)?.payload.toString('hex')).toBe('00070000cafe'));
  });

  test('what arrived is acknowledged after each window the publisher names', async () => {
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
});

describe('media', () => {
  test('audio, video and metadata are handed on as FLV tags, in order', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    const metadata = formatAmf0('onMetaData', new Map<string, Amf0Value>([['width', 1280]]));
    publisher.send(media(18, Buffer.concat([formatAmf0('@setDataFrame'), metadata])));
    publisher.send(media(18, metadata, 1));
    publisher.send(media(15, Buffer.concat([Buffer.from([0]), metadata]), 2));
    publisher.send(media(18, formatAmf0('@clearDataFrame', 'onMetaData'), 3));
    publisher.send(media(9, avcHeader, 4));
    publisher.send(media(8, aacHeader, 5));
    publisher.send(media(9, Buffer.alloc(0), 6));
    publisher.send(media(19, Buffer.from('a shared object'), 7));
    publisher.send(media(9, avcHeader, 0xffffffff));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers[0]?.tags).toEqual([
      { kind: 'script', timestampMs: 0, body: metadata },
      { kind: 'script', timestampMs: 1, body: metadata },
      { kind: 'script', timestampMs: 2, body: metadata },
      { kind: 'video', timestampMs: 4, body: avcHeader },
      { kind: 'audio', timestampMs: 5, body: aacHeader },
      { kind: 'video', timestampMs: 0xffffffff, body: avcHeader },
    ]);
  });

  test('aggregate messages are unpacked', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    const tag = (typeId: number, timestampMs: number, body: Buffer) => {
      const header = Buffer.alloc(11);
      header.writeUInt8(typeId);
      header.writeUIntBE(body.length, 1, 3);
      header.writeUIntBE(timestampMs, 4, 3);
      return Buffer.concat([header, body, Buffer.alloc(4)]);
    };
    publisher.send(media(22, Buffer.concat([tag(9, 500, avcHeader), tag(8, 520, aacHeader)]), 40));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers[0]?.tags).toEqual([
      { kind: 'video', timestampMs: 40, body: avcHeader },
      { kind: 'audio', timestampMs: 60, body: aacHeader },
    ]);
  });

  test('media before publish and after the end is not looked at', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.send(media(9, avcHeader));
    await publisher.publish(key);
    publisher.command(0, 'deleteStream', 0, null, 1);
    publisher.send(media(9, avcHeader));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers).toMatchObject([{ tags: [], ends: [{ kind: 'unpublished' }] }]);
    expect(stand.reasons()).toEqual([]);
  });

  test.each([
    ['HEVC', 9, '1c00000000', "HEVC video is not carried; choose H.264 in the encoder's settings."],
    ['HEVC in Enhanced RTMP', 9, '9068766331', "HEVC video is not carried; choose H.264 in the encoder's settings."],
    ['MP3', 8, '2f00', "MP3 audio is not carried; choose AAC in the encoder's settings."],
  ])('%s is refused by name, and the connection closes', async (_, typeId, hex, sentence) => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.send(media(typeId, Buffer.from(hex, 'hex')));
    await publisher.closed;
    expect(publisher.statuses().at(-1)).toBe(`NetStream.Publish.Rejected: ${sentence}`);
    expect(stand.publishers).toMatchObject([{ tags: [], ends: [{ kind: 'lost', sentence }] }]);
    await stand.allGone();
  });
});

describe('refusals', () => {
  test('a refused key hears BadName with the sentence, even while it goes on sending; then the socket closes', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    const published = publisher.publish(refusedStreamKey);
    for (let turn = 0; turn < 50; turn += 1) publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(10_000)])));
    await published;
    await publisher.closed;
    expect(publisher.statuses()).toEqual(['NetStream.Publish.BadName: This stream key is not known.']);
    expect(stand.publishers).toEqual([]);
    expect(stand.reasons()).toEqual(['This stream key is not known.']);
    await stand.allGone();
  });

  test('after too many failed keys an address is refused unread, until the window is over', async () => {
    const clock = { time: 1_000_000 };
    await using stand = await startIngestStand({
      bounds: { maxFailedKeys: 3, failedKeysWindowMs: 60_000 },
      now: () => clock.time,
    });
    for (let turn = 0; turn < 3; turn += 1) await (await openPublishing(stand, refusedStreamKey)).closed;
    const limited = await openPublishing(stand);
    await limited.closed;
    expect(limited.statuses()).toEqual([
      'NetStream.Publish.BadName: Too many wrong stream keys came from this address; try again in 60 s.',
    ]);
    expect(stand.askedKeys).toEqual(Array(3).fill(refusedStreamKey));
    clock.time += 60_000;
    expect((await openPublishing(stand)).statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  });

  test('connections beyond the bound are closed and logged, and those before go on', async () => {
    await using stand = await startIngestStand({ bounds: { maxConnections: 2 } });
    const first = await openPublishing(stand);
    await openPublishing(stand);
    const third = await openRawPublisher(await stand.connect());
    await third.closed;
    expect(third.messages).toEqual([]);
    expect(stand.server.connectionCount).toBe(2);
    expect(stand.logLines.at(-1)).toMatchObject({
      level: 40,
      remoteAddress: '127.0.0.1',
      msg: 'A connection was refused: there are 2 already.',
    });
    first.socket.destroy();
    await soon(() => expect(stand.server.connectionCount).toBe(1));
    expect((await openPublishing(stand)).statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  });

  test('no stream key and no address of an application stands in the log', async () => {
    await using stand = await startIngestStand();
    await (await openPublishing(stand, refusedStreamKey)).closed;
    (await openPublishing(stand)).socket.destroy();
    const odd = await openRawPublisher(await stand.connect());
    odd.command(0, 'connect', 1, { app: `live/${key}`, tcUrl: `rtmp://host/live/${key}` });
    await odd.closed;
    await stand.allGone();
    const log = JSON.stringify(stand.logLines);
    expect(log).toContain('This stream key is not known.');
    expect(log).not.toContain(key);
    expect(log).not.toContain(refusedStreamKey);
  });
});

describe('ends', () => {
  test('closing a publisher tells it why, closes it, and leaves its sink alone', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    stand.publishers[0]?.publisher.close('The stream was deleted.');
    stand.publishers[0]?.publisher.close('The stream was deleted.');
    publisher.send(media(9, avcHeader));
    await publisher.closed;
    expect(publisher.statuses().slice(1)).toEqual(['NetStream.Publish.BadName: The stream was deleted.']);
    expect(stand.publishers).toMatchObject([{ tags: [], ends: [] }]);
    await stand.allGone();
  });

  test('a half-open publisher is taken over without harm to the new one, and is not held', async () => {
    const taken: { close(sentence: string): void }[] = [];
    await using stand = await startIngestStand({
      onAdmit: (publisher) => {
        for (const old of taken.splice(0)) old.close('Another publisher took over.');
        taken.push(publisher);
      },
    });
    const old = await openPublishing(stand);
    // It neither reads nor answers nor closes, like a peer whose network is gone.
    old.socket.pause();
    old.socket.removeAllListeners('end');
    const successor = await openPublishing(stand);
    successor.send(media(9, avcHeader, 40));
    await soon(() => expect(stand.server.connectionCount).toBe(1));
    successor.send(media(9, avcHeader, 80));
    await soon(() => expect(stand.publishers[1]?.tags.map(({ timestampMs }) => timestampMs)).toEqual([40, 80]));
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([[], []]);
  });

  test('a connection that ends without a goodbye is a lost publisher', async () => {
    await using stand = await startIngestStand();
    (await openPublishing(stand)).socket.end();
    await stand.allGone();
    (await openPublishing(stand)).socket.resetAndDestroy();
    await stand.allGone();
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([
      [{ kind: 'lost', sentence: 'The encoder closed its connection without ending the stream.' }],
      [{ kind: 'lost', sentence: "The encoder's connection broke (ECONNRESET)." }],
    ]);
  });

  test('closing the server ends its publishers, frees its port, and may be done twice', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    const idle = await stand.connect();
    idle.resume();
    await Promise.all([stand.server.close(), stand.server.close()]);
    await publisher.closed;
    expect(stand.server.connectionCount).toBe(0);
    expect(publisher.statuses().at(-1)).toBe('NetStream.Publish.Failed: The ingest is closing.');
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', sentence: 'The ingest is closing.' }]);
    await expect(stand.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a busy port is refused with the socket error itself', async () => {
    await using stand = await startIngestStand();
    const options = { host: '127.0.0.1', port: stand.server.port } as Parameters<typeof startRtmpServer>[0];
    await expect(startRtmpServer({ ...options, bounds: {} as never })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('bounds', () => {
  describe('of time', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    test('the handshake must be over within 5 s', async () => {
      await using stand = await startIngestStand();
      const socket = await stand.connect();
      socket.resume();
      socket.write(Buffer.from([3]));
      await soon(() => expect(stand.server.connectionCount).toBe(1));
      vi.advanceTimersByTime(4_999);
      expect(stand.reasons()).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(stand.reasons()).toEqual(['The handshake was not completed within 5 s.']);
      await stand.allGone();
    });

    test('publish must come within 10 s of connecting, however busy the connection is', async () => {
      await using stand = await startIngestStand();
      const publisher = await openRawPublisher(await stand.connect());
      publisher.command(0, 'connect', 1, { app: 'live' });
      await soon(() => expect(publisher.commands.length).toBe(1));
      vi.advanceTimersByTime(6_000);
      publisher.command(0, 'createStream', 2, null);
      await soon(() => expect(publisher.commands.length).toBe(2));
      vi.advanceTimersByTime(3_999);
      expect(stand.reasons()).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(stand.reasons()).toEqual(['No publish command came within 10 s.']);
      await publisher.closed;
    });

    test('a publisher without media for 10 s is lost, and hears why; metadata is not media', async () => {
      await using stand = await startIngestStand();
      const publisher = await openPublishing(stand);
      vi.advanceTimersByTime(9_000);
      publisher.send(media(8, aacHeader));
      await soon(() => expect(stand.publishers[0]?.tags.length).toBe(1));
      vi.advanceTimersByTime(9_000);
      publisher.send(media(18, formatAmf0('onMetaData', {})));
      await soon(() => expect(stand.publishers[0]?.tags.length).toBe(2));
      vi.advanceTimersByTime(999);
      expect(stand.publishers[0]?.ends).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', sentence: 'No media came for 10 s.' }]);
      await publisher.closed;
      expect(publisher.statuses().at(-1)).toBe('NetStream.Publish.Failed: No media came for 10 s.');
    });

    test('after the end of a stream the next must come within 10 s', async () => {
      await using stand = await startIngestStand();
      const publisher = await openPublishing(stand);
      vi.advanceTimersByTime(5_000);
      publisher.command(0, 'deleteStream', 0, null, 1);
      await publisher.heard('NetStream.Unpublish.Success');
      vi.advanceTimersByTime(9_999);
      expect(stand.reasons()).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(stand.reasons()).toEqual(['No publish command came within 10 s.']);
    });
  });

  test('a message at the bound is taken, one byte more closes the connection', async () => {
    await using stand = await startIngestStand({ bounds: { maxMessageBytes: 300_000 } });
    const body = (size: number) => Buffer.concat([avcHeader, Buffer.alloc(size - avcHeader.length)]);
    const publisher = await openPublishing(stand);
    publisher.send(media(9, body(300_000)));
    publisher.send(media(9, body(300_001), 1));
    await publisher.closed;
    expect(stand.publishers[0]?.tags.map(({ body: { length } }) => length)).toEqual([300_000]);
    expect(stand.reasons()).toEqual(['A message of 300001 bytes is over 300000.']);
  });

  test('the longest message that RTMP can announce, just under 16 MiB, is taken by default', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.send(formatSetChunkSize(16 * 1024 * 1024), 2);
    publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(0xffffff - avcHeader.length)])));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers[0]?.tags.map(({ body: { length } }) => length)).toEqual([0xffffff]);
  });

  test('before publish no more than commands may be announced', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.send(media(9, Buffer.alloc(256 * 1024 + 1)));
    await publisher.closed;
    expect(stand.reasons()).toEqual(['More than 262144 bytes of unfinished messages were announced.']);
  });

  test.each([0, 16 * 1024 * 1024 + 1])('a chunk size of %i closes the connection', async (size) => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.send(formatSetChunkSize(size), 2);
    await publisher.closed;
    expect(stand.reasons()).toEqual([`A chunk size of ${size} bytes is not between 1 and 16777216.`]);
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', sentence: stand.reasons()[0] }]);
  });

  test('a command nested deeper than 16 closes the connection', async () => {
    await using stand = await startIngestStand();
    const nest = (depth: number): Amf0Value => (depth === 0 ? 1 : [nest(depth - 1)]);
    const publisher = await openPublishing(stand);
    publisher.command(0, 'odd', 0, nest(16));
    publisher.command(0, 'odd', 0, nest(17));
    await publisher.closed;
    expect(stand.reasons()).toEqual(['AMF0 values are nested more than 16 deep.']);
  });

  test('more than 64 chunk streams close the connection', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    for (let id = 100; id < 170; id += 1) publisher.send(media(8, aacHeader), id);
    await publisher.closed;
    expect(stand.reasons()).toEqual(['More than 64 chunk streams were opened.']);
  });

  test('a publisher that asks and never reads the answers is closed', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.socket.pause();
    const question = new ChunkWriter().format(3, formatCommand(0, 'odd', 9, null));
    const questions = Buffer.concat(Array<Buffer>(2_000).fill(question));
    const ask = () => void (publisher.socket.writable && publisher.socket.write(questions, ask));
    ask();
    await stand.allGone();
    expect(stand.reasons()).toEqual(['The other side does not read what it is sent.']);
  });
});

describe('malformed input', () => {
  test.each<[string, (publisher: Awaited<ReturnType<typeof openPublishing>>) => void, string]>([
    ['a second connect', ({ command }) => command(0, 'connect', 1, { app: 'live' }), 'A second connect came.'],
    [
      'a second publish',
      ({ command }) => command(1, 'publish', 9, null, key),
      'A second publish came while the first goes on.',
    ],
    [
      'a video message of four bytes',
      ({ send }) => send(media(9, Buffer.from('17010000', 'hex'))),
      'A message of video is too short.',
    ],
    [
      'an audio message of one byte',
      ({ send }) => send(media(8, Buffer.from('af', 'hex'))),
      'A message of audio is too short.',
    ],
    ['a broken command', ({ send }) => send(media(20, Buffer.from('02ffff', 'hex'))), 'An AMF0 value is cut short.'],
    ['a broken ping', ({ send }) => send(media(4, Buffer.from('00', 'hex'))), 'A user control message is too short.'],
    [
      'a broken aggregate',
      ({ send }) => send(media(22, Buffer.from('08', 'hex'))),
      'A message inside an aggregate message is cut short.',
    ],
  ])('%s closes that connection alone, with a reason', async (_, misbehave, reason) => {
    await using stand = await startIngestStand();
    const other = await openPublishing(stand, 'other');
    const publisher = await openPublishing(stand);
    misbehave(publisher);
    await publisher.closed;
    expect(stand.reasons()).toEqual([reason]);
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([[], [{ kind: 'lost', sentence: reason }]]);
    other.send(media(8, aacHeader));
    await soon(() => expect(stand.publishers[0]?.tags.length).toBe(1));
    expect(stand.server.connectionCount).toBe(1);
  });

  test('a command before connect closes the connection', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.command(1, 'publish', 1, null, key);
    await publisher.closed;
    expect(stand.reasons()).toEqual(['A command came before connect.']);
    expect(stand.askedKeys).toEqual([]);
  });

  test('an HTTP request is told apart at its first byte', async () => {
    await using stand = await startIngestStand();
    const socket = await stand.connect();
    socket.resume();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await stand.allGone();
    expect(stand.reasons()).toEqual(['The client does not speak RTMP: its first byte is 71, not 3.']);
  });

  test('a fault of our own closes that one connection and is logged as an error', async () => {
    await using stand = await startIngestStand({
      onAdmit: () => {
        throw new Error('A bug.');
      },
    });
    const publisher = await openPublishing(stand);
    await publisher.closed;
    await stand.allGone();
    expect(stand.logLines).toMatchObject([
      { level: 50, msg: 'A connection was closed by a fault.', err: { message: 'A bug.' } },
    ]);
  });
});
