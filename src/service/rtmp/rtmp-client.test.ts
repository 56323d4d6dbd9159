import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { videoHeader } from '../../../test/support/flv-builder.ts';
import { type IngestStand, refusedStreamKey, startIngestStand, waitingStreamKey } from '../../../test/support/ingest-stand.ts';
import { startOddServer, startSayingServer } from '../../../test/support/odd-server.ts';
import { soon } from '../../../test/support/soon.ts';
import { type ServerStep, startStagedServer } from '../../../test/support/staged-server.ts';
import { sendTag } from '../../../test/support/tag-role.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { isKeyframe } from '../media/media-unit.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { formatAmf0 } from './amf0.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { formatCommand, formatStatus } from './commands.ts';
import { formatAcknowledgement } from './messages.ts';
import { type RtmpPublisherOptions, startRtmpPublisher } from './rtmp-client.ts';

const metadata: FlvTag = { kind: 'script', timestampMs: 0, body: formatAmf0('onMetaData', new Map([['width', 1280]])) };
const avcHeader = videoHeader();
const aacHeader: FlvTag = { kind: 'audio', timestampMs: 0, body: Buffer.from('af001190', 'hex') };

/** One NAL unit with a four-byte length prefix. */
function nalUnitOf(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes, 0x41);
  if (sizeBytes >= 4) bytes.writeUInt32BE(sizeBytes - 4);
  return bytes;
}

function video(timestampMs: number, sizeBytes: number, isKeyframe: boolean): FlvTag {
  return {
    kind: 'video',
    timestampMs,
    body: Buffer.concat([Buffer.from([isKeyframe ? 0x17 : 0x27, 1, 0, 0, 0]), nalUnitOf(sizeBytes)]),
  };
}

function publishTo(port: number, options: Partial<RtmpPublisherOptions> = {}) {
  return startRtmpPublisher({
    url: `rtmp://127.0.0.1:${port}/live`,
    streamKey: 'abcd-efgh-ijkl-mnop',
    signal: new AbortController().signal,
    ...options,
  });
}

describe('publishing', () => {
  test('sent media arrives, and closing says goodbye', async () => {
    await using stand = await startIngestStand();
    const publisher = await publishTo(stand.server.port, { closeGraceMs: 60_000 });
    const tags = [
      metadata,
      avcHeader,
      aacHeader,
      video(0, 200_000, true),
      video(40, 3, false),
      video(0x01000000, 100_000, false),
    ];
    for (const tag of tags) sendTag(publisher, tag);
    expect(await publisher.close()).toBe(true);
    expect(await publisher.closed).toEqual({ kind: 'closed-by-us' });
    await stand.allGone();
    const received = [
      ...['metadata', `video 0 ${avcHeader.body.length}`, `audio 0 ${aacHeader.body.length}`],
      ...['video 0 200005', 'left out video 8: A video frame has broken NAL unit lengths.', `video ${0x01000000} 100005`],
    ];
    expect(stand.publishers).toMatchObject([{ streamKey: 'abcd-efgh-ijkl-mnop', received, ends: [{ kind: 'unpublished' }] }]);
    expect([publisher.queuedMs, publisher.droppedFrames]).toEqual([0, 0]);
  });

  test('closing twice is harmless, and sending afterwards does nothing', async () => {
    await using stand = await startIngestStand();
    const publisher = await publishTo(stand.server.port);
    await Promise.all([publisher.close(), publisher.close()]);
    sendTag(publisher, avcHeader);
    expect(stand.publishers[0]?.received).toEqual([]);
  });

  test('aborting the signal closes it', async () => {
    await using stand = await startIngestStand();
    const abort = new AbortController();
    const publisher = await publishTo(stand.server.port, { signal: abort.signal });
    abort.abort();
    expect(await publisher.closed).toEqual({ kind: 'closed-by-us' });
    await stand.allGone();
    expect(stand.publishers[0]?.ends).toEqual([{ kind: 'unpublished' }]);
  });
});

describe('an attempt that fails', () => {
  async function failure(attempt: Promise<unknown>): Promise<unknown[]> {
    const error = await attempt.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof PublishError ? [error.kind, error.failure] : [error];
  }

  test('a refused key is reported in the words of the server', async () => {
    await using stand = await startIngestStand();
    expect(await failure(publishTo(stand.server.port, { streamKey: refusedStreamKey }))).toEqual([
      'refused',
      { code: 'key-refused', says: 'Unknown stream key. Copy it again from Tallylight.' },
    ]);
    await stand.allGone();
  });

  test('an unknown application is reported in the words of the server', async () => {
    await using stand = await startIngestStand();
    expect(await failure(publishTo(stand.server.port, { url: `rtmp://127.0.0.1:${stand.server.port}/other` }))).toEqual([
      'refused',
      { code: 'wrong-app', says: 'The address must end in /live. The stream key comes after it.' },
    ]);
  });

  test('a refusal for another reason is not blamed on the key', async () => {
    await using stand = await startIngestStand();
    expect(await failure(publishTo(stand.server.port, { streamKey: waitingStreamKey }))).toEqual([
      'refused',
      { code: 'refused', status: 'NetStream.Publish.BadName', says: 'This stream is suspended. Resume it in Tallylight.' },
    ]);
  });

  test('a port where nobody listens refuses the connection', async () => {
    const stand = await startIngestStand();
    await stand[Symbol.asyncDispose]();
    expect(await failure(publishTo(stand.server.port))).toEqual([
      'unreachable',
      { code: 'connection-refused', address: `127.0.0.1:${stand.server.port}` },
    ]);
  });

  test('the attempt gives up on a server that does not reply', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    await using server = await startOddServer((socket) => socket.on('data', () => asked.resolve()));
    const failed = failure(publishTo(server.port));
    await asked.promise;
    vi.advanceTimersByTime(10_000);
    expect(await failed).toEqual(['timeout', { code: 'timed-out', during: 'handshake', afterMs: 10_000 }]);
    await soon(() => expect([...server.sockets].map(({ destroyed }) => destroyed)).toEqual([true]));
  });

  test('each step has the whole time, however long they take together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const onStep = (step: ServerStep) => void vi.advanceTimersByTime(step === 'connect' || step === 'publish' ? 9_999 : 0);
    await using server = await startStagedServer({ until: 'goodbye', atLast: (socket) => socket.end(), onStep });
    const lookup: LookupFunction = (_name, _options, answer) => {
      vi.advanceTimersByTime(9_999);
      answer(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const publisher = await publishTo(server.port, { url: `rtmp://live.example.com:${server.port}/live`, lookup });
    await publisher.close();
  });

  test('a server that closes, or does not speak RTMP, is lost', async () => {
    await using closing = await startOddServer((socket) => socket.end());
    expect(await failure(publishTo(closing.port))).toEqual(['lost', { code: 'closed', during: 'handshake' }]);
    await using http = await startOddServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await failure(publishTo(http.port))).toEqual(['lost', { code: 'not-rtmp', speaks: 'http' }]);
  });

  test.concurrent.each<[string, ServerStep, unknown]>([
    ['shakes hands', 'shaken', 'app'],
    ['gets the path', 'connect', 'app'],
    ['accepts the path', 'connected', 'publish'],
    ['gets the key', 'publish', 'publish'],
  ])('a server that closes or hangs after it %s tells where it was', async (_, step, during) => {
    await using closing = await startStagedServer({ until: step, atLast: (socket) => socket.end() });
    expect(await failure(publishTo(closing.port))).toEqual(['lost', { code: 'closed', during }]);
    await using resetting = await startStagedServer({ until: step, atLast: (socket) => socket.resetAndDestroy() });
    expect(await failure(publishTo(resetting.port))).toEqual(['lost', { code: 'closed', during }]);
    await using hanging = await startStagedServer({ until: step, atLast: () => {} });
    expect(await failure(publishTo(hanging.port, { stepTimeoutMs: 5_000, closeGraceMs: 10 }))).toEqual([
      'timeout',
      { code: 'timed-out', during, afterMs: 5_000 },
    ]);
  });

  test('a server that closes as soon as it has started tells so, unless it has acknowledged media', async () => {
    await using strict = await startStagedServer({ until: 'started', atLast: (socket) => socket.end() });
    const refused = await publishTo(strict.port);
    expect(await refused.closed).toEqual({ kind: 'lost', failure: { code: 'closed', during: 'started' } });
    await using server = await startStagedServer({
      until: 'started',
      atLast: (socket) => socket.end(new ChunkWriter().format(2, formatAcknowledgement(4_000))),
    });
    const lost = await publishTo(server.port);
    expect(await lost.closed).toEqual({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  });

  test('a server that refuses the optional commands of Flash encoders still gets the stream', async () => {
    await using server = await startStagedServer({ until: 'started', refusesOptional: true, atLast: () => {} });
    await using publisher = await publishTo(server.port, { closeGraceMs: 10 });
    expect(publisher.droppedFrames).toBe(0);
  });

  test("aborting before or during the attempt rejects with the signal's reason", async () => {
    await using server = await startOddServer(() => abort.abort('enough'));
    const abort = new AbortController();
    expect(await failure(publishTo(server.port, { signal: AbortSignal.abort('no need') }))).toEqual(['no need']);
    expect(await failure(publishTo(server.port, { signal: abort.signal, closeGraceMs: 10 }))).toEqual(['enough']);
  });

  test('whatever a server sends, the attempt starts, is refused, is lost or times out', async () => {
    const writer = () => new ChunkWriter();
    const answers = [
      writer().format(3, formatCommand(0, '_result', 1, null, null)),
      writer().format(3, formatCommand(0, '_result', 4, null, 1)),
      writer().format(3, formatCommand(0, '_result', 4, null, 'x')),
      writer().format(3, formatCommand(0, '_error', 1)),
      writer().format(3, formatStatus(1, { level: 'status', code: 'NetStream.Publish.Start', description: '' })),
      Buffer.from('c3', 'hex'),
    ];
    const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...answers), anyBytes), { maxLength: 6 }), async (parts) => {
        await using server = await startSayingServer(Buffer.concat(parts));
        const result = await publishTo(server.port, { stepTimeoutMs: 30, closeGraceMs: 5 }).then(
          (publisher) => publisher.close().then(() => 'started'),
          (error: unknown) => (error instanceof PublishError ? error.kind : error),
        );
        expect(['started', 'refused', 'lost', 'timeout']).toContain(result);
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});

describe('an ingest that goes away', () => {
  async function startThroughProxy(stand: IngestStand, options: Partial<RtmpPublisherOptions> = {}) {
    const proxy = await startFaultProxy(stand.server.port);
    const publisher = await publishTo(proxy.port, { stallTimeoutMs: 300, closeGraceMs: 100, ...options });
    return { proxy, publisher };
  }

  /** From here on time passes only as media is sent; timeouts stay those of the system. */
  function fakeTime(): void {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  /** Sends 40 ms of media repeatedly, with a keyframe each second, until stopped; in faked time every 40 ms. */
  async function sendUntil(publisher: Awaited<ReturnType<typeof publishTo>>, sizeBytes: number, isEnough: () => boolean) {
    for (let frame = 0; !isEnough(); frame += 1) {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(40);
      sendTag(publisher, video(frame * 40, sizeBytes, frame % 25 === 0));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test('a server that closes the publisher gives the reason, and there is no retry', async () => {
    await using stand = await startIngestStand();
    const publisher = await publishTo(stand.server.port);
    stand.publishers[0]?.publisher.close({ code: 'broadcast-ended', reason: 'deleted' });
    expect(await publisher.closed).toEqual({
      kind: 'refused',
      failure: { code: 'refused', status: 'NetStream.Publish.BadName', says: 'The stream was deleted in Tallylight.' },
    });
  });

  test.each([
    ['service-closed', 'Tallylight was closed.'],
    ['service-crashed', 'The broadcast ended because Tallylight crashed or lost power.'],
  ] as const)(
    'a broadcast that ended because of its service (%s) is lost: the next start takes the same key',
    async (reason, says) => {
      await using stand = await startIngestStand();
      const publisher = await publishTo(stand.server.port);
      stand.publishers[0]?.publisher.close({ code: 'broadcast-ended', reason });
      expect(await publisher.closed).toEqual({
        kind: 'lost',
        failure: { code: 'refused', status: 'NetStream.Publish.Failed', says },
      });
    },
  );

  test('a server that shuts down is lost', async () => {
    await using stand = await startIngestStand();
    const publisher = await publishTo(stand.server.port);
    await stand.server.close();
    expect(await publisher.closed).toEqual({
      kind: 'lost',
      failure: { code: 'refused', status: 'NetStream.Publish.Failed', says: 'The ingest is closing.' },
    });
    await publisher.close();
  });

  test('a broken connection is lost', async () => {
    await using stand = await startIngestStand();
    const { proxy, publisher } = await startThroughProxy(stand);
    await proxy[Symbol.asyncDispose]();
    expect((await publisher.closed).kind).toBe('lost');
  });

  test('on a blocked network frames are dropped at the limit, then the ingest is lost', async () => {
    fakeTime();
    await using stand = await startIngestStand();
    const { proxy, publisher } = await startThroughProxy(stand, { maxQueueMs: 1_000, stallTimeoutMs: 5_000 });
    await using _ = proxy;
    proxy.stall();
    let isOver = false;
    let longestMs = 0;
    const closed = publisher.closed.finally(() => {
      isOver = true;
    });
    await sendUntil(publisher, 50_000, () => {
      longestMs = Math.max(longestMs, publisher.queuedMs);
      return isOver;
    });
    expect(await closed).toEqual({ kind: 'lost', failure: { code: 'takes-no-data', forMs: 5_000 } });
    expect(publisher.droppedFrames).toBeGreaterThan(0);
    expect(longestMs).toBeGreaterThan(0);
    expect(longestMs).toBeLessThanOrEqual(1_000);
  });

  test('after a network outage sending resumes with a keyframe', async () => {
    fakeTime();
    await using stand = await startIngestStand();
    const { proxy, publisher } = await startThroughProxy(stand, {
      maxQueueMs: 1_000,
      stallTimeoutMs: 60_000,
      closeGraceMs: 60_000,
    });
    await using _ = proxy;
    sendTag(publisher, avcHeader);
    proxy.stall();
    await sendUntil(publisher, 50_000, () => publisher.droppedFrames > 30);
    proxy.resume();
    await soon(() => expect(publisher.queuedMs).toBe(0));
    // The outage may have ended with all frames up to the next keyframe dropped.
    sendTag(publisher, video(10_000_000, 50_000, true));
    await publisher.close();
    await stand.allGone();
    const frames = (stand.publishers[0]?.units ?? []).slice(1);
    const afterGaps = frames.filter(({ dts }, index) => index > 0 && dts - (frames[index - 1]?.dts ?? 0) > 40);
    expect(afterGaps.length).toBeGreaterThan(0);
    expect(afterGaps.map(isKeyframe)).toEqual(afterGaps.map(() => true));
  });

  test('bytes in flight follow the acknowledgements of the ingest, and are unknown before', async () => {
    const acknowledge = Promise.withResolvers<(sequenceNumber: number) => void>();
    await using server = await startStagedServer({
      until: 'started',
      atLast: (socket) =>
        acknowledge.resolve((bytes) => void socket.write(new ChunkWriter().format(2, formatAcknowledgement(bytes)))),
    });
    await using publisher = await publishTo(server.port, { closeGraceMs: 10 });
    const [socket] = server.sockets;
    sendTag(publisher, video(0, 200_000, true));
    expect(publisher.inFlightBytes).toBeUndefined();
    await soon(() => expect(socket?.bytesRead).toBeGreaterThan(200_000));
    const readBytes = () => socket?.bytesRead ?? 0;
    (await acknowledge.promise)(100_000);
    // The ingest reads the rest meanwhile.
    await soon(() => expect(publisher.inFlightBytes).toBe(readBytes() - 100_000));
    (await acknowledge.promise)(readBytes());
    await soon(() => expect(publisher.inFlightBytes).toBe(0));
  });

  test('on a blocked network, data that the operating system has taken is known to be in flight', async () => {
    await using stand = await startIngestStand();
    const { proxy, publisher } = await startThroughProxy(stand, { stallTimeoutMs: 60_000 });
    await using _ = proxy;
    for (let frame = 0; frame < 20; frame += 1) sendTag(publisher, video(frame * 40, 50_000, true));
    await soon(() => expect(publisher.inFlightBytes).toBeLessThan(1_000_000));
    proxy.stall();
    await sendUntil(publisher, 50_000, () => publisher.queuedMs > 0);
    expect(publisher.inFlightBytes).toBeGreaterThan(1_000_000);
    proxy.resume();
    await soon(() => expect(publisher.inFlightBytes).toBeLessThan(1_000_000));
    await publisher.close();
  });

  test('a dead server on a working network is detected by its silence', async () => {
    await using stand = await startIngestStand();
    const { proxy, publisher } = await startThroughProxy(stand);
    await using _ = proxy;
    // Enough for some acknowledgements to arrive.
    for (let frame = 0; frame < 20; frame += 1) sendTag(publisher, video(frame * 40, 50_000, true));
    await soon(() => expect(stand.publishers[0]?.received.length).toBe(20));
    proxy.loseAll();
    let isOver = false;
    const closed = publisher.closed.finally(() => {
      isOver = true;
    });
    await sendUntil(publisher, 20_000, () => isOver);
    expect(await closed).toEqual({ kind: 'lost', failure: { code: 'takes-no-data', forMs: 300 } });
  });

  /** Closes a publication on a blocked network once media has waited so long, and then lets everything through. */
  async function closeAfterWaiting(waitedMs: number) {
    fakeTime();
    const stand = await startIngestStand();
    const options = { stallTimeoutMs: 600_000, maxQueueMs: 60_000, closeGraceMs: 10_000 };
    const { proxy, publisher } = await startThroughProxy(stand, options);
    onTestFinished(async () => {
      await proxy[Symbol.asyncDispose]();
      await stand[Symbol.asyncDispose]();
    });
    proxy.stall();
    const sent = { frames: -1, beforeQueue: 0 };
    await sendUntil(publisher, 50_000, () => {
      sent.frames += 1;
      if (publisher.queuedMs === 0) sent.beforeQueue = sent.frames;
      return publisher.queuedMs > waitedMs;
    });
    const closing = publisher.close();
    proxy.resume();
    expect(await closing).toBe(true);
    await stand.allGone();
    const [{ received, ends } = {}] = stand.publishers;
    expect(ends).toEqual([{ kind: 'unpublished' }]);
    return { sent, arrived: received?.length };
  }

  test('media that has waited for less than the grace period leaves before the goodbye', async () => {
    const { sent, arrived } = await closeAfterWaiting(400);
    expect(arrived).toBe(sent.frames);
  });

  test('media that has waited for longer than the grace period does not keep the goodbye from leaving', async () => {
    const { sent, arrived } = await closeAfterWaiting(11_000);
    expect(arrived).toBeLessThanOrEqual(sent.beforeQueue);
  });

  test('closing waits no longer than the grace period for a dead ingest', async () => {
    await using stand = await startIngestStand();
    const { proxy, publisher } = await startThroughProxy(stand, { stallTimeoutMs: 60_000 });
    await using _ = proxy;
    proxy.stall();
    await sendUntil(publisher, 50_000, () => publisher.queuedMs > 0);
    const startedAt = performance.now();
    // Both callers learn that the ingest didn't hear it.
    expect(await Promise.all([publisher.close(), publisher.close()])).toEqual([false, false]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await publisher.closed).toEqual({ kind: 'closed-by-us' });
  });
});
