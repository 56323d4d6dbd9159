import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { audioFrame, messageFrame } from '../../../test/support/flv-builder.ts';
import { refusedStreamKey, startIngestStand, usualTimeLimits } from '../../../test/support/ingest-stand.ts';
import {
  aacHeader,
  avcHeader,
  media,
  openPublishing,
  openRawPublisher,
  someStreamKey,
} from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { type Amf0Value, formatAmf0 } from '../rtmp/amf0.ts';
import { ChunkWriter } from '../rtmp/chunk-writer.ts';
import { formatCommand } from '../rtmp/commands.ts';
import { formatSetChunkSize } from '../rtmp/messages.ts';

describe('time limits', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
  const startTimed = (options: { now?: () => number } = {}) => startIngestStand({ bounds: usualTimeLimits, ...options });

  test('the handshake must complete within 10 s', async () => {
    await using stand = await startTimed();
    const socket = await stand.connect();
    socket.resume();
    socket.write(Buffer.from([3]));
    await soon(() => expect(stand.server.connectionCount).toBe(1));
    vi.advanceTimersByTime(9_999);
    expect(stand.reasons()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(stand.reasons()).toEqual(['The handshake did not complete within 10 s.']);
    expect(stand.logLines.at(-1)?.msg).toBe('A connection that did not publish was closed.');
    await stand.allGone();
  });

  test('publish must arrive within 20 s of connecting, however busy the connection is', async () => {
    await using stand = await startTimed();
    const publisher = await openRawPublisher(await stand.connect());
    publisher.command(0, 'connect', 1, { app: 'live' });
    await soon(() => expect(publisher.commands.length).toBe(1));
    vi.advanceTimersByTime(16_000);
    publisher.command(0, 'createStream', 2, null);
    await soon(() => expect(publisher.commands.length).toBe(2));
    vi.advanceTimersByTime(3_999);
    expect(stand.reasons()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(stand.reasons()).toEqual(['No publish command arrived within 20 s.']);
    expect(stand.logLines.at(-1)?.msg).toBe('A connection that did not publish was closed.');
    await publisher.closed;
  });

  test('a publisher without media for 10 s is lost and told why; metadata is not media', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    vi.advanceTimersByTime(9_000);
    publisher.send(media(8, aacHeader));
    await soon(() => expect(stand.publishers[0]?.received.length).toBe(1));
    vi.advanceTimersByTime(9_000);
    publisher.send(media(18, formatAmf0('onMetaData', {})));
    await soon(() => expect(stand.publishers[0]?.received.length).toBe(2));
    vi.advanceTimersByTime(999);
    expect(stand.publishers[0]?.ends).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } }]);
    await publisher.closed;
    expect(publisher.statuses().at(-1)).toBe('NetStream.Publish.Failed: No media arrived for 10 s.');
  });

  test.each([true, false])(
    'after we were frozen, a publisher is lost only if it has sent no media either: it has, %s',
    async (hasSent) => {
      const clock = { ms: 0 };
      await using stand = await startTimed({ now: () => clock.ms });
      const publisher = await openPublishing(stand);
      clock.ms += 15_000;
      vi.advanceTimersByTime(10_000);
      expect(stand.publishers[0]?.ends).toEqual([]);
      if (hasSent) {
        publisher.send(media(8, aacHeader));
        await soon(() => expect(stand.publishers[0]?.received.length).toBe(1));
      }
      clock.ms += 2_000;
      vi.advanceTimersByTime(2_000);
      expect(stand.publishers[0]?.ends).toEqual(hasSent ? [] : [{ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } }]);
    },
  );

  test('a publisher that sends nothing usable for 10 s is lost and told why', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    // A frame of audio before its parameters, and one of an unknown kind.
    for (const [index, body] of [Buffer.from([0xaf, 1, 33]), Buffer.from([0x17, 9, 0, 0, 0])].entries()) {
      vi.advanceTimersByTime(4_000);
      publisher.send(media(index === 0 ? 8 : 9, body));
      await soon(() => expect(stand.publishers[0]?.received.length).toBe(index + 1));
    }
    vi.advanceTimersByTime(1_999);
    expect(stand.publishers[0]?.ends).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'no-media', forMs: 10_000, isUnusable: true } }]);
    await publisher.closed;
    expect(publisher.statuses().at(-1)).toBe('NetStream.Publish.Failed: Nothing that can be played arrived for 10 s.');
  });

  test('a publisher that sends only messages without a picture, and ends its media, is lost for sending nothing usable', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    publisher.send(media(9, avcHeader));
    publisher.send(media(9, messageFrame(40).body, 40));
    publisher.send(media(9, Buffer.from('1702000000', 'hex'), 80));
    await soon(() =>
      expect(stand.publishers[0]?.received).toEqual([`video 0 ${avcHeader.length}`, 'left out video 31', 'left out video 5']),
    );
    vi.advanceTimersByTime(10_000);
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'no-media', forMs: 10_000, isUnusable: true } }]);
    await publisher.closed;
  });

  test('a publisher that sends nothing after an orderly end of its media is lost for sending nothing', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    publisher.send(media(9, avcHeader));
    publisher.send(media(9, Buffer.from('1702000000', 'hex'), 40));
    await soon(() => expect(stand.publishers[0]?.received).toEqual([`video 0 ${avcHeader.length}`, 'left out video 5']));
    vi.advanceTimersByTime(10_000);
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } }]);
    await publisher.closed;
  });

  test('bytes that a publisher sent before it published once more are not held against it', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    publisher.send(media(9, Buffer.from([0x17, 9, 0, 0, 0])));
    publisher.command(0, 'FCUnpublish', 4, null, someStreamKey);
    publisher.command(1, 'publish', 5, null, someStreamKey, 'live');
    await soon(() => expect(stand.publishers.map(({ received }) => received.length)).toEqual([1, 0]));
    vi.advanceTimersByTime(10_000);
    expect(stand.publishers[1]?.ends).toEqual([{ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } }]);
    await publisher.closed;
  });

  test('after ten wrong keys within a minute, replies to wrong keys are delayed by 3 s, and input is ignored meanwhile', async () => {
    const clock = { time: 1_000_000 };
    await using stand = await startTimed({ now: () => clock.time });
    for (let turn = 0; turn < 10; turn += 1) await (await openPublishing(stand, refusedStreamKey)).closed;
    const askWrongly = async () => {
      const publisher = await openRawPublisher(await stand.connect());
      publisher.command(0, 'connect', 1, { app: 'live' });
      publisher.command(1, 'publish', 2, null, refusedStreamKey, 'live');
      publisher.command(1, 'publish', 3, null, someStreamKey, 'live');
      publisher.command(0, 'createStream', 4, null);
      return publisher;
    };
    const limited = await askWrongly();
    await soon(() => expect(stand.askedKeys).toEqual(Array(11).fill(refusedStreamKey)));
    vi.advanceTimersByTime(2_999);
    // By the time another connection gets a reply, this one would have received its own.
    await openPublishing(stand);
    expect(limited.statuses()).toEqual([]);
    vi.advanceTimersByTime(1);
    await limited.closed;
    expect(limited.statuses()).toEqual(['NetStream.Publish.BadName: Unknown stream key. Copy it again from Tallylight.']);
    expect(limited.commands.map(({ name }) => name)).toEqual(['_result', 'onStatus']);
    clock.time += 60_000;
    const later = await askWrongly();
    await later.closed;
    expect(later.statuses()).toEqual(['NetStream.Publish.BadName: Unknown stream key. Copy it again from Tallylight.']);
    expect(stand.askedKeys.filter((key) => key !== refusedStreamKey)).toEqual([someStreamKey]);
  });

  test('after a stream ends, the next must begin within 20 s', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    vi.advanceTimersByTime(5_000);
    publisher.command(0, 'deleteStream', 0, null, 1);
    await publisher.heard('NetStream.Unpublish.Success');
    vi.advanceTimersByTime(19_999);
    expect(stand.reasons()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(stand.reasons()).toEqual(['No publish command arrived within 20 s.']);
  });

  test('a publisher that ends its stream by two commands, as OBS does, and publishes once more may stay', async () => {
    await using stand = await startTimed();
    const publisher = await openPublishing(stand);
    publisher.command(0, 'FCUnpublish', 7, null, someStreamKey);
    publisher.command(0, 'deleteStream', 8, null, 1);
    publisher.command(1, 'publish', 9, null, 'other', 'live');
    for (const [index, body] of [aacHeader, audioFrame(0).body, audioFrame(21).body].entries()) {
      publisher.send(media(8, body));
      await soon(() => expect(stand.publishers[1]?.units).toHaveLength(index + 1));
      vi.advanceTimersByTime(9_000);
    }
    expect(stand.reasons()).toEqual([]);
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([[{ kind: 'unpublished' }], []]);
    expect(publisher.statuses().filter((status) => status.startsWith('NetStream.Unpublish'))).toHaveLength(1);
  });
});

test('a message at the limit is accepted, one byte more closes the connection', async () => {
  await using stand = await startIngestStand({ bounds: { maxMessageBytes: 300_000 } });
  const body = (size: number) => Buffer.concat([avcHeader, Buffer.alloc(size - avcHeader.length)]);
  const publisher = await openPublishing(stand);
  publisher.send(media(9, body(300_000)));
  publisher.send(media(9, body(300_001), 1));
  await publisher.closed;
  expect(stand.publishers[0]?.received).toEqual(['video 0 300000']);
  expect(stand.reasons()).toEqual(['A message of 300001 bytes exceeds the limit of 300000.']);
});

test('the longest message that RTMP can announce, just under 16 MiB, is accepted by default', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.send(formatSetChunkSize(16 * 1024 * 1024), 2);
  publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(0xffffff - avcHeader.length)])));
  publisher.socket.end();
  await stand.allGone();
  expect(stand.publishers[0]?.received).toEqual([`video 0 ${0xffffff}`]);
});

test('before publish, a message longer than commands need closes the connection', async () => {
  await using stand = await startIngestStand();
  const publisher = await openRawPublisher(await stand.connect());
  publisher.send(media(9, Buffer.alloc(256 * 1024 + 1)));
  await publisher.closed;
  expect(stand.reasons()).toEqual(['More than 262144 bytes of incomplete messages were announced.']);
});

test.each([0xffffff + 1, 128 * 1024 * 1024, 2 ** 31 - 1])(
  'a chunk size of %i, longer than any message, is taken',
  async (size) => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    publisher.send(formatSetChunkSize(size), 2);
    publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(20_000)])));
    publisher.socket.end();
    await stand.allGone();
    expect(stand.publishers[0]?.received).toEqual([`video 0 ${avcHeader.length + 20_000}`]);
    expect(stand.reasons()).toEqual([]);
  },
);

test.each([0, 2 ** 31])('a chunk size of %i closes the connection', async (size) => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.send(formatSetChunkSize(size), 2);
  await publisher.closed;
  expect(stand.reasons()).toEqual([`A chunk size of ${size} bytes is not between 1 and 2147483647.`]);
  expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'protocol', fault: stand.reasons()[0] } }]);
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

test('a publisher that never reads the replies is disconnected', async () => {
  await using stand = await startIngestStand();
  const publisher = await openPublishing(stand);
  publisher.socket.pause();
  const question = new ChunkWriter().format(3, formatCommand(0, 'odd', 9, null));
  const questions = Buffer.concat(Array<Buffer>(2_000).fill(question));
  const ask = () => void (publisher.socket.writable && publisher.socket.write(questions, ask));
  ask();
  await stand.allGone();
  expect(stand.reasons()).toEqual(['The peer does not read what it is sent.']);
});
