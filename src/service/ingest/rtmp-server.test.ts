import { describe, expect, test } from 'vitest';
import { refusedStreamKey, startIngestStand, waitingStreamKey } from '../../../test/support/ingest-stand.ts';
import {
  avcHeader,
  someStreamKey as key,
  media,
  openPublishing,
  openRawPublisher,
} from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { createFailedKeyLimit } from './failed-key-limit.ts';
import type { Publisher } from './publish-gate.ts';
import { startRtmpServer } from './rtmp-server.ts';

describe('refusals', () => {
  test('a refused key gets BadName with the sentence, even while the publisher keeps sending, then the socket closes', async () => {
    await using stand = await startIngestStand();
    const publisher = await openRawPublisher(await stand.connect());
    const published = publisher.publish(refusedStreamKey);
    for (let turn = 0; turn < 50; turn += 1) publisher.send(media(9, Buffer.concat([avcHeader, Buffer.alloc(10_000)])));
    await published;
    await publisher.closed;
    expect(publisher.statuses()).toEqual(['NetStream.Publish.BadName: Unknown stream key. Copy it again from Tallylight.']);
    expect(stand.publishers).toEqual([]);
    expect(stand.reasons()).toEqual(['Unknown stream key. Copy it again from Tallylight.']);
    await stand.allGone();
  });

  test('after too many wrong keys a valid one still publishes at once', async () => {
    await using stand = await startIngestStand({ bounds: { maxFailedKeys: 3, failedKeyDelayMs: 600_000 } });
    for (let turn = 0; turn < 3; turn += 1) await (await openPublishing(stand, refusedStreamKey)).closed;
    await openRawPublisher(await stand.connect()).then((limited) => {
      limited.command(0, 'connect', 1, { app: 'live' });
      limited.command(1, 'publish', 2, null, refusedStreamKey, 'live');
    });
    await soon(() => expect(stand.askedKeys).toHaveLength(4));
    expect((await openPublishing(stand)).statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  });

  test('a wrong key counts in the limit that all doors share', async () => {
    const clock = { monotonicMs: () => 0 };
    const failedKeys = createFailedKeyLimit({ maxFailedKeys: 1, windowMs: 1, clock });
    await using stand = await startIngestStand({ failedKeys });
    expect(failedKeys.isReached('127.0.0.1')).toBe(false);
    await (await openPublishing(stand, refusedStreamKey)).closed;
    expect(failedKeys.isReached('127.0.0.1')).toBe(true);
  });

  test('a valid key that must wait never counts as wrong, and its reply is never delayed', async () => {
    const failedKeys = createFailedKeyLimit({ maxFailedKeys: 1, windowMs: 600_000, clock: { monotonicMs: () => 0 } });
    await using stand = await startIngestStand({ failedKeys, bounds: { failedKeyDelayMs: 600_000 } });
    const wait = async () => {
      const waiting = await openPublishing(stand, waitingStreamKey);
      await waiting.closed;
      expect(waiting.statuses()).toEqual(['NetStream.Publish.BadName: This stream is suspended. Resume it in Tallylight.']);
    };
    await wait();
    expect(failedKeys.isReached('127.0.0.1')).toBe(false);
    await (await openPublishing(stand, refusedStreamKey)).closed;
    expect(failedKeys.isReached('127.0.0.1')).toBe(true);
    await wait();
    expect((await openPublishing(stand)).statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  });

  test('connections beyond the limit are closed and logged, and the existing ones continue', async () => {
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
      msg: 'A connection was refused: 2 are already open.',
    });
    first.socket.destroy();
    await soon(() => expect(stand.server.connectionCount).toBe(1));
    expect((await openPublishing(stand)).statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  });

  test('the log has no stream key and no application URL', async () => {
    await using stand = await startIngestStand();
    await (await openPublishing(stand, refusedStreamKey)).closed;
    (await openPublishing(stand)).socket.destroy();
    const odd = await openRawPublisher(await stand.connect());
    odd.command(0, 'connect', 1, { app: `live/${key}`, tcUrl: `rtmp://host/live/${key}` });
    await odd.closed;
    await stand.allGone();
    const log = JSON.stringify(stand.logLines);
    expect(log).toContain('Unknown stream key. Copy it again from Tallylight.');
    expect(log).not.toContain(key);
    expect(log).not.toContain(refusedStreamKey);
  });
});

describe('ends', () => {
  test('closing a publisher tells it why, closes it, and does not call its sink', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    stand.publishers[0]?.publisher.close({ code: 'broadcast-ended', reason: 'deleted' });
    stand.publishers[0]?.publisher.close({ code: 'broadcast-ended', reason: 'deleted' });
    publisher.send(media(9, avcHeader));
    await publisher.closed;
    expect(publisher.statuses().slice(1)).toEqual(['NetStream.Publish.BadName: The stream was deleted in Tallylight.']);
    expect(stand.publishers).toMatchObject([{ received: [], ends: [] }]);
    await stand.allGone();
  });

  test('a half-open publisher is replaced without harm to the new one, and is closed', async () => {
    const taken: Publisher[] = [];
    await using stand = await startIngestStand({
      onAdmit: (publisher) => {
        for (const old of taken.splice(0)) old.close({ code: 'in-use', by: { address: '127.0.0.1' } });
        taken.push(publisher);
      },
    });
    const old = await openPublishing(stand);
    // It neither reads nor replies nor closes, like a peer whose network is gone.
    old.socket.pause();
    old.socket.removeAllListeners('end');
    const successor = await openPublishing(stand);
    successor.send(media(9, avcHeader, 40));
    await soon(() => expect(stand.server.connectionCount).toBe(1));
    successor.send(media(9, avcHeader, 80));
    await soon(() => expect(stand.publishers[1]?.received).toHaveLength(2));
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([[], []]);
  });

  test('a connection that closes without ending its stream is a lost publisher', async () => {
    await using stand = await startIngestStand();
    (await openPublishing(stand)).socket.end();
    await stand.allGone();
    (await openPublishing(stand)).socket.resetAndDestroy();
    await stand.allGone();
    expect(stand.publishers.map(({ ends }) => ends)).toEqual([
      [{ kind: 'lost', cause: { code: 'closed' } }],
      [{ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } }],
    ]);
  });

  test('closing the server ends its publishers, frees its port, and may be repeated', async () => {
    await using stand = await startIngestStand();
    const publisher = await openPublishing(stand);
    const idle = await stand.connect();
    idle.resume();
    await Promise.all([stand.server.close(), stand.server.close()]);
    await publisher.closed;
    expect(stand.server.connectionCount).toBe(0);
    expect(publisher.statuses().at(-1)).toBe('NetStream.Publish.Failed: The ingest is closing.');
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'ingest-closing' } }]);
    await expect(stand.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test("a busy port rejects with the socket's own error", async () => {
    await using stand = await startIngestStand();
    const options = { host: '127.0.0.1', port: stand.server.port } as Parameters<typeof startRtmpServer>[0];
    await expect(startRtmpServer({ ...options, bounds: {} as never })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
