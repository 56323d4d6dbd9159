import { describe, expect, test } from 'vitest';
import { enhanceBody } from '../../../test/support/enhanced-flv.ts';
import { audioFrame, broadcast } from '../../../test/support/flv-builder.ts';
import { type IngestStand, refusedStreamKey, startIngestStand, waitingStreamKey } from '../../../test/support/ingest-stand.ts';
import {
  aacHeader,
  avcHeader,
  someStreamKey as key,
  media,
  openPublishing,
  openRawPublisher,
} from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { describeLossCause } from '../../shared/words/loss-words.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { type Amf0Value, formatAmf0 } from '../rtmp/amf0.ts';
import { parsePublisherMetadata } from './publisher-metadata.ts';

describe('media', () => {
  test('audio, video and metadata are passed on in order', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    const metadata = formatAmf0('onMetaData', new Map<string, Amf0Value>([['framerate', 30]]));
    publisher.send(media(18, Buffer.concat([formatAmf0('@setDataFrame'), metadata])));
    publisher.send(media(18, metadata, 1));
    publisher.send(media(15, Buffer.concat([Buffer.from([0]), metadata]), 2));
    publisher.send(media(18, formatAmf0('@clearDataFrame', 'onMetaData'), 3));
    publisher.send(media(9, avcHeader, 4));
    publisher.send(media(8, aacHeader, 5));
    for (const typeId of [8, 9, 15, 18]) publisher.send(media(typeId, Buffer.alloc(0), 6));
    publisher.send(media(19, Buffer.from('a shared object'), 7));
    publisher.send(media(8, audioFrame(0).body, 0xffffffff));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers[0]?.received).toEqual([
      'metadata',
      'metadata',
      'metadata',
      'video 4 46',
      'audio 5 4',
      `audio ${0xffffffff} 22`,
    ]);
    expect(stand.publishers[0]?.metadata).toEqual(Array(3).fill(parsePublisherMetadata(metadata)));
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
    expect(stand.publishers[0]?.received).toEqual(['video 40 46', 'audio 60 4']);
  });

  test('media before publish and after the end is ignored', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.send(media(9, avcHeader));
    await publisher.publish(key);
    publisher.command(0, 'deleteStream', 0, null, 1);
    publisher.send(media(9, avcHeader));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers).toMatchObject([{ received: [], ends: [{ kind: 'unpublished' }] }]);
    expect(stand.reasons()).toEqual([]);
  });

  test('H.264 and AAC in Enhanced RTMP tags give the same units as legacy tags', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    const tags = broadcast({ durationMs: 200, reorderMs: 40 });
    for (const tag of tags) publisher.send(media(tag.kind === 'video' ? 9 : 8, enhanceBody(tag), tag.timestampMs));
    publisher.send(media(9, Buffer.from('9261766331', 'hex'), 200));
    publisher.socket.end();
    await stand.allGone();
    const reader = new UnitReader();
    expect(stand.publishers[0]?.units).toEqual(tags.flatMap((tag) => reader.readUnit(tag) ?? []));
    expect(stand.reasons()).toEqual([]);
  });

  test.each([
    ['legacy HEVC', 9, '1c00000000', "Legacy HEVC video isn't supported. Choose H.264 in the encoder's settings."],
    ['VP9 in Enhanced RTMP', 9, '9076703039', "VP9 video isn't supported. Choose H.264 in the encoder's settings."],
    ['MP3', 8, '2f00', "MP3 audio isn't supported. Choose AAC in the encoder's settings."],
    [
      'a second audio track in Enhanced RTMP',
      8,
      '95006d703461011190',
      "Only one audio track is supported. Turn off the others in the encoder's settings.",
    ],
  ])('%s is refused by name, and the connection closes', async (_, typeId, hex, sentence) => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.send(media(typeId, Buffer.from(hex, 'hex')));
    await publisher.closed;
    expect(publisher.statuses().at(-1)).toBe(`NetStream.Publish.Rejected: ${sentence}`);
    expect(stand.publishers).toMatchObject([{ received: [], ends: [{ kind: 'lost', cause: { code: 'codec' } }] }]);
    await stand.allGone();
  });
});

describe('malformed input', () => {
  test.each<[string, (publisher: Awaited<ReturnType<typeof openPublishing>>) => void, string]>([
    ['a second connect', ({ command }) => command(0, 'connect', 1, { app: 'live' }), 'A second connect command arrived.'],
    [
      'a second publish',
      ({ command }) => command(1, 'publish', 9, null, key),
      'A second publish command arrived while the first stream was running.',
    ],
    [
      'a video message of four bytes',
      ({ send }) => send(media(9, Buffer.from('17010000', 'hex'))),
      'A video message is too short.',
    ],
    ['an audio message of one byte', ({ send }) => send(media(8, Buffer.from('af', 'hex'))), 'An audio message is too short.'],
    ['a broken command', ({ send }) => send(media(20, Buffer.from('02ffff', 'hex'))), 'An AMF0 value is cut short.'],
    ['a broken ping', ({ send }) => send(media(4, Buffer.from('00', 'hex'))), 'A user control message is too short.'],
    [
      'a broken aggregate',
      ({ send }) => send(media(22, Buffer.from('08', 'hex'))),
      'A message inside an aggregate message is cut short.',
    ],
  ])('%s closes only that connection, with a reason', async (_, misbehave, reason) => {
    await using stand = await startIngestStand();
    const other = await openPublishing(stand, 'other');
    const publisher = await openPublishing(stand);
    misbehave(publisher);
    await publisher.closed;
    expect(stand.reasons()).toEqual([reason]);
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([
      [],
      [{ kind: 'lost', cause: { code: 'protocol', fault: reason } }],
    ]);
    other.send(media(8, aacHeader));
    await soon(() => expect(stand.publishers[0]?.received.length).toBe(1));
    expect(stand.server.connectionCount).toBe(1);
  });

  test('a command before connect closes the connection', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.command(1, 'publish', 1, null, key);
    await publisher.closed;
    expect(stand.reasons()).toEqual(['A command arrived before connect.']);
    expect(stand.askedKeys).toEqual([]);
  });

  test('an HTTP request is recognised by its first byte', async () => {
    await using stand = await startIngestStand();
    const socket = await stand.connect();
    socket.resume();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await stand.allGone();
    expect(stand.reasons()).toEqual(['The client does not speak RTMP: its first byte is 71, not 3.']);
  });

  test('an internal error closes only that connection and is logged', async () => {
    await using stand = await startIngestStand({
      onAdmit: () => {
        throw new Error('A bug.');
      },
    });
    const publisher = await openPublishing(stand);
    await publisher.closed;
    await stand.allGone();
    expect(stand.logLines).toMatchObject([
      { level: 50, msg: 'A connection was closed because of an internal error.', err: { message: 'A bug.' } },
    ]);
  });

  test('an internal error while media arrives ends the publisher', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    // From here on, its sink throws.
    Object.freeze(stand.publishers[0]?.units);
    publisher.send(media(9, avcHeader));
    await publisher.closed;
    await stand.allGone();
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'internal' } }]);
  });
});

describe('the log', () => {
  const read = ({ logLines }: IngestStand) => logLines.map(({ streamId, reason, msg }) => ({ streamId, reason, msg }));

  test('names the stream of a publisher: the address alone is that of every program on a computer', async () => {
    await using stand = await startIngestStand();
    const [left, east] = [await openPublishing(stand, 'left'), await openPublishing(stand, 'east')];
    east.send(media(9, Buffer.of(0x17)));
    await east.closed;
    left.command(0, 'FCUnpublish', 7, null, 'left');
    await left.heard('NetStream.Unpublish.Success');
    left.command(1, 'publish', 8, null, 'next', 'live');
    await soon(() => expect(stand.askedKeys).toEqual(['left', 'east', 'next']));
    left.socket.end();
    await left.closed;
    await stand.allGone();
    expect(read(stand)).toEqual([
      { streamId: 'stream of left', msg: 'A publisher started.' },
      { streamId: 'stream of east', msg: 'A publisher started.' },
      {
        streamId: 'stream of east',
        reason: 'A video message is too short.',
        msg: 'A connection was closed for a protocol error.',
      },
      { streamId: 'stream of left', msg: 'A publisher ended its stream.' },
      { streamId: 'stream of next', msg: 'A publisher started.' },
      { streamId: 'stream of next', msg: 'A publisher disconnected.' },
    ]);
  });

  test('names the stream that refuses its own key, and none for an unknown key', async () => {
    await using stand = await startIngestStand();
    await (await openPublishing(stand, waitingStreamKey)).closed;
    await (await openPublishing(stand, refusedStreamKey)).closed;
    await stand.allGone();
    expect(read(stand)).toEqual([
      {
        streamId: 'stream of wwww',
        reason: describeLossCause({ code: 'suspended' }),
        msg: 'A publisher was disconnected.',
      },
      { reason: describeLossCause({ code: 'wrong-key' }), msg: 'A publisher was disconnected.' },
    ]);
  });

  test('names no stream for an unknown key after a valid one', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand, 'left');
    publisher.command(0, 'FCUnpublish', 7, null, 'left');
    await publisher.heard('NetStream.Unpublish.Success');
    publisher.command(1, 'publish', 8, null, refusedStreamKey, 'live');
    await publisher.closed;
    await stand.allGone();
    expect(read(stand)).toEqual([
      { streamId: 'stream of left', msg: 'A publisher started.' },
      { streamId: 'stream of left', msg: 'A publisher ended its stream.' },
      { reason: describeLossCause({ code: 'wrong-key' }), msg: 'A publisher was disconnected.' },
    ]);
  });
});
