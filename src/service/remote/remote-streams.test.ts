import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startDeadAddress } from '../../../test/support/dead-address.ts';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { listenOnLoopback } from '../../../test/support/loopback-server.ts';
import { type Answer, answerWell, oddPair } from '../../../test/support/odd-service.ts';
import { answerShow, listAsked, openRemoteStreams, remoteShow, serve, showRef } from '../../../test/support/remote-stand.ts';
import { soon } from '../../../test/support/soon.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import type { StreamLive } from '../../shared/model/views.ts';
import { RemoteError } from './remote-error.ts';

const failureOf = (call: Promise<unknown>): Promise<RemoteFailure | string> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof RemoteError ? error.failure : String(error)),
  );

const forever = () => new AbortController().signal;

/** What `watch` yields, until the test is over: a later test with a clock of its own would poll the service for simulated hours. */
function untilOver<Value>(watch: (signal: AbortSignal) => AsyncGenerator<Value, void>): AsyncGenerator<Value, void> {
  const leaving = new AbortController();
  const values = watch(leaving.signal);
  onTestFinished(async () => {
    leaving.abort();
    await values.return();
  });
  return values;
}

/** A service that answers 429 while it is busy. */
async function openBusy(retryAfter: string) {
  let isBusy = false;
  const stand = await openRemoteStreams((asked, response) =>
    isBusy ? { status: 429, headers: { 'retry-after': retryAfter } } : answerShow()(asked, response),
  );
  const { streams, service, services } = stand;
  return {
    ...stand,
    setBusy: (value: boolean) => {
      isBusy = value;
    },
    /** Watches the stream until its first answer. */
    watchOnce: () => untilOver((signal) => streams.watch('show', undefined, signal)).next(),
    listOnce: () => untilOver((signal) => streams.watchAll(signal)).next(),
    /** The requests that a call sent to the service, with how it ended. */
    async during(call: () => Promise<unknown>) {
      service.asked.length = 0;
      const ended = await failureOf(call());
      return [ended, listAsked(service)];
    },
    toldOfService: () => services.list()[0]?.failure,
  };
}

test('after 429 with Retry-After only polls wait; whatever the user does is asked', async () => {
  const { streams, goLive, setBusy, watchOnce, listOnce, during, toldOfService, advance } = await openBusy('3600');
  setBusy(true);
  // Five minutes at most: hourly answers would be useless.
  const held: RemoteFailure = { code: 'too-many-requests', retryAfterSeconds: 3600, askedAgainInSeconds: 300 };
  expect(await during(watchOnce)).toEqual([held, expect.arrayContaining(['GET /api/stream/show'])]);
  expect(await during(listOnce)).toEqual([held, []]);
  expect(toldOfService()).toEqual(held);
  advance(299_001);
  expect(await during(listOnce)).toEqual([{ ...held, askedAgainInSeconds: 1 }, []]);
  advance(999);
  expect(await during(listOnce)).toEqual([held, ['GET /api/stream?streamsonly=1&limit=100']]);

  const refused: RemoteFailure = { code: 'too-many-requests', retryAfterSeconds: 3600 };
  const acts: [() => Promise<unknown>, string][] = [
    [() => streams.stop('show'), 'DELETE /api/stream/show/terminate'],
    [() => streams.update('show', { name: 'New' }), 'PATCH /api/stream/show'],
    [() => streams.create({ name: 'New' }), 'POST /api/stream'],
    [() => streams.delete('show'), 'DELETE /api/stream/show'],
    [() => streams.revealKey('show'), 'GET /api/stream/show'],
    [() => streams.sessions('show', 1), 'GET /api/stream/show/sessions?limit=1'],
    [goLive, 'GET /api/stream/show'],
  ];
  for (const [act, asked] of acts) expect(await during(act)).toEqual([refused, expect.arrayContaining([asked])]);
  setBusy(false);
  expect(await during(listOnce)).toEqual([held, []]);
  // Once it answers at all, the lists are read again, too.
  expect(await during(() => streams.revealKey('show'))).toEqual(['done', ['GET /api/stream/show']]);
  expect(await during(listOnce)).toEqual(['done', ['GET /api/stream?streamsonly=1&limit=100']]);
  expect(toldOfService()).toBeUndefined();
});

test('a limit of what changes something says nothing about the service', async () => {
  const limited: Answer = (asked, response) =>
    asked.path.endsWith('/terminate') ? { status: 429, headers: { 'retry-after': '5' } } : answerShow()(asked, response);
  const { streams, service, services } = await openRemoteStreams(limited);
  expect(await failureOf(streams.stop('show'))).toEqual({ code: 'too-many-requests', retryAfterSeconds: 5 });
  expect(services.list()[0]).not.toHaveProperty('failure');
  expect(await failureOf(untilOver((signal) => streams.watchAll(signal)).next())).toBe('done');
  expect(listAsked(service)).toEqual(['DELETE /api/stream/show/terminate', 'GET /api/stream?streamsonly=1&limit=100']);
});

test('a deleted stream takes with it what it last went live with; one that the service keeps does not', async () => {
  const saved: unknown[] = [];
  const choices = { find: () => undefined, save: (...change: unknown[]) => saved.push(change) };
  let status = 500;
  const answer: Answer = (asked, response) => (asked.method === 'DELETE' ? { status } : answerShow()(asked, response));
  const { streams } = await openRemoteStreams(answer, { choices });
  await expect(streams.delete('show')).rejects.toBeInstanceOf(RemoteError);
  expect(saved).toEqual([]);
  status = 204;
  await streams.delete('show');
  expect(saved).toEqual([[showRef, undefined]]);
});

/** A service whose answers the test can hold back. */
async function openHeld(stream: object = remoteShow, options: Parameters<typeof openRemoteStreams>[1] = {}) {
  const held: (() => void)[] = [];
  let isHolding = false;
  let streamKey = remoteShow.streamKey;
  const stand = await openRemoteStreams((asked, response) => {
    const said = answerShow(undefined, { ...stream, streamKey })(asked, response);
    if (!isHolding) return said;
    held.push(() => response.end(JSON.stringify(said?.json)));
    return undefined;
  }, options);
  return {
    ...stand,
    hold: (value: boolean) => {
      isHolding = value;
    },
    setKey: (value: string) => {
      streamKey = value;
    },
    /** Takes the waiting answers once there are this many; returns a function that sends them. */
    async take(count: number) {
      await soon(() => expect(held.length).toBeGreaterThanOrEqual(count));
      const taken = held.splice(0);
      return () => {
        for (const answer of taken) answer();
      };
    },
  };
}

test.each([
  ['connecting if nobody is on air', false, 'connecting'],
  ["on air with somebody else's broadcast, which Stop then leaves alone", true, 'on-air'],
])("while a service doesn't answer Go live, its stream is %s; Stop ends it at once", async (_, isActive, air) => {
  const { streams, oneClicks, goLive, service, hold, take, plans } = await openHeld({ ...remoteShow, isActive });
  await untilOver((signal) => streams.watchAll(signal)).next();
  hold(true);
  const started = goLive();
  expect(oneClicks.state(showRef).kind).toBe('starting');
  expect(streams.findOnAir('show')).toMatchObject({ name: 'Show', oneClick: 'starting', air: { kind: air } });
  const release = await take(2);
  await streams.stop('show');
  await started;
  expect(oneClicks.state(showRef)).toEqual({ kind: 'idle' });
  hold(false);
  release();
  await streams.revealKey('show');
  expect(plans()).toBe(0);
  expect(listAsked(service).filter((asked) => !asked.startsWith('GET '))).toEqual([]);
});

/** One click whose encoder waits forever once the start is prepared, and the keys and URLs that it sent to. */
function waitForEncoder() {
  const keys: string[] = [];
  const urls: string[] = [];
  const prepared = Promise.withResolvers<void>();
  const plan = () => {
    prepared.resolve();
    return new Promise<never>(() => {});
  };
  const publish = async ({ url, streamKey }: { url: string; streamKey: string }) => {
    keys.push(streamKey);
    urls.push(url);
    return createFakePublisher(() => new Promise(() => {}));
  };
  return { keys, urls, prepared: prepared.promise, options: { oneClick: { planner: { plan } }, publish } };
}

test('answers to a start that was stopped change nothing for the next one', async () => {
  const { keys, prepared, options } = waitForEncoder();
  const { streams, goLive, service, hold, take, setKey } = await openHeld(remoteShow, options);
  hold(true);
  setKey('old');
  const first = goLive();
  const releaseFirst = await take(3);
  await streams.stop('show');
  await first;
  hold(false);
  setKey('new');
  const second = goLive();
  await prepared;
  releaseFirst();
  await soon(() => expect(listAsked(service).filter((asked) => asked === 'GET /api/ingest')).toHaveLength(2));
  await streams.revealKey('show');
  await streams.connect('show', forever());
  expect(keys).toEqual(['new']);
  await streams.stop('show');
  await second;
});

test('a poll while Go live still chooses the region is newer than what it read of the stream', async () => {
  const { prepared, options } = waitForEncoder();
  let isActive = false;
  let isHolding = false;
  const regions = Promise.withResolvers<() => void>();
  const { streams, goLive } = await openRemoteStreams((asked, response) => {
    const said = answerShow(undefined, { ...remoteShow, isActive })(asked, response);
    if (!isHolding || asked.path !== '/api/ingest?first=false') return said;
    regions.resolve(() => response.end(JSON.stringify(said?.json)));
    return undefined;
  }, options);
  isHolding = true;
  const started = goLive();
  const answerRegions = await regions.promise;
  await soon(() => expect(streams.findOnAir('show')?.air.kind).toBe('connecting'));
  isActive = true;
  await soon(() => expect(streams.findOnAir('show')?.air.kind).toBe('on-air'));
  answerRegions();
  await prepared;
  expect(streams.findOnAir('show')?.air.kind).toBe('on-air');
  await streams.stop('show');
  await started;
});

test('a stream is kept from the press of Go live on, even if the only page that watches it leaves', async () => {
  const { keys, prepared, options } = waitForEncoder();
  const { streams, goLive, hold, take } = await openHeld(remoteShow, options);
  const page = untilOver((signal) => streams.watch('show', undefined, signal));
  await page.next();
  hold(true);
  const started = goLive();
  const release = await take(1);
  await page.return(undefined);
  hold(false);
  release();
  await prepared;
  expect(streams.findOnAir('show')).toMatchObject({ name: 'Show', oneClick: 'starting', air: { kind: 'connecting' } });
  await streams.connect('show', forever());
  expect(keys).toEqual([remoteShow.streamKey]);
  await streams.stop('show');
  await started;
});

test('Go live sends to the region with the shorter connection, though the service lists and prefers the other', async () => {
  const sockets = new Set<Socket>();
  const ingest = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  const { port, ...near } = await listenOnLoopback(ingest, sockets);
  onTestFinished(() => near[Symbol.asyncDispose]());
  const far = await startDeadAddress('127.0.0.9', port, { queued: 16 });
  onTestFinished(() => far[Symbol.asyncDispose]());
  const [farPair, nearPair] = ['127.0.0.9', '127.0.0.1'].map((host) => ({
    ingest: `rtmp://${host}:${port}/live`,
    playback: `http://${host}:4600/hls`,
  })) as [IngestPair, IngestPair];
  const { urls, prepared, options } = waitForEncoder();
  const { streams, goLive, meter } = await openRemoteStreams(answerShow([farPair, nearPair]), options);
  const started = goLive();
  await soon(() => expect(meter.isMeasuring(farPair.ingest)).toBe(true));
  await meter.known([nearPair.ingest]);
  far.revive();
  await prepared;
  expect(meter.find(nearPair.ingest)?.kind).toBe('reached');
  await streams.connect('show', forever());
  expect(urls).toEqual([nearPair.ingest]);
  await streams.stop('show');
  await started;
});

test('a stream that failed from here is shown as the list says once nobody watches it', async () => {
  let isActive = false;
  const { streams, goLive, oneClicks } = await openRemoteStreams((asked, response) =>
    answerShow(undefined, { ...remoteShow, isActive })(asked, response),
  );
  const watching = untilOver((signal) => streams.watch('show', undefined, signal));
  await watching.next();
  await goLive();
  await soon(() => expect(oneClicks.state(showRef).kind).toBe('failed'));
  await watching.return();
  // By then, the last poll has been answered.
  await streams.revealKey('show');
  // Another publisher starts to broadcast there.
  isActive = true;
  await untilOver((signal) => streams.watchAll(signal)).next();
  expect(streams.findOnAir('show')).toMatchObject({ isActive: true, air: { kind: 'on-air' } });
});

async function untilPair(watching: AsyncGenerator<StreamLive, void>): Promise<IngestPair | undefined> {
  let live = (await watching.next()).value;
  while (live && live.service?.pair === undefined) live = (await watching.next()).value;
  return live?.service?.pair;
}

test('a nearest region that the service could not tell at first is asked for with the next poll, until it can', async () => {
  let isTold = true;
  const { streams, service } = await openRemoteStreams((asked, response) =>
    asked.path === '/api/ingest' && !isTold ? { status: 503 } : answerShow()(asked, response),
  );
  isTold = false;
  const watching = untilOver((signal) => streams.watch('show', undefined, signal));
  expect((await watching.next()).value?.service?.pair).toBeUndefined();
  isTold = true;
  // Makes it poll at once.
  await streams.update('show', { name: 'New' });
  expect(await untilPair(watching)).toEqual(oddPair);
  service.asked.length = 0;
  await streams.update('show', { name: 'Newer' });
  await soon(() => expect(listAsked(service)).toContain('GET /api/stream/show/sessions?limit=1'));
  expect(listAsked(service)).not.toContain('GET /api/ingest');
  await watching.return();
});

/** A second address of the stand's service, whose only pair is `movedPair`. */
const serveMoved = () => serve(answerShow([movedPair]));
const movedPair = { ingest: 'rtmps://lon-rtmp.example.com/live', playback: 'https://lon-cdn.example.com/hls' };
const otherKey = 'tl_9876543210';

test('a service that moves to another address is shown with the region of the new one', async () => {
  const { streams, services } = await openRemoteStreams(answerShow());
  const watching = untilOver((signal) => streams.watch('show', undefined, signal));
  expect((await watching.next()).value).toMatchObject({ service: { pair: oddPair } });
  await services.update('service1', { baseUrl: (await serveMoved()).baseUrl, apiKey: otherKey });
  // Makes it poll at once.
  await streams.update('show', { name: 'Show' });
  expect(await untilPair(watching)).toEqual(movedPair);
  expect(streams.ingestAddress('show')).toBe('lon-rtmp.example.com:443');
  await watching.return();
});

test('a page that waits for the first answer of a service that is removed meanwhile is told so', async () => {
  const asked = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const answer = answerShow();
  const { services, streams } = await openRemoteStreams((request, response) => {
    if (request.path !== '/api/stream/show') return answer(request, response);
    asked.resolve();
    void removed.promise.then(() => response.end(JSON.stringify(remoteShow)));
    return undefined;
  });
  const first = untilOver((signal) => streams.watch('show', undefined, signal)).next();
  await asked.promise;
  await services.remove('service1');
  await streams.close();
  removed.resolve();
  await expect(first).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the list of a service that is removed ends, even if it has no streams', async () => {
  const { services, streams } = await openRemoteStreams(answerWell);
  const list = untilOver((signal) => streams.watchAll(signal));
  expect(await list.next()).toMatchObject({ value: { kind: 'all', streams: [] } });
  const next = list.next();
  await services.remove('service1');
  await streams.close();
  await expect(next).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a change stays, though an answer from before it comes later', async () => {
  const asked = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  let stream = remoteShow;
  let reads = 0;
  const { streams } = await openRemoteStreams((request, response) => {
    if (request.method === 'PATCH') stream = { ...remoteShow, ...JSON.parse(request.body) };
    if (request.method !== 'GET' || request.path !== '/api/stream/show') return answerShow()(request, response);
    const text = JSON.stringify(stream);
    reads += 1;
    asked.resolve();
    void (reads === 1 ? changed.promise : Promise.resolve()).then(() => response.end(text));
    return undefined;
  });
  const first = untilOver((signal) => streams.watch('show', undefined, signal)).next();
  await asked.promise;
  expect(await streams.update('show', { name: 'New' })).toMatchObject({ name: 'New' });
  changed.resolve();
  expect((await first).value).toMatchObject({ stream: { name: 'New' } });
  // It is asked again at once.
  await soon(() => expect(reads).toBeGreaterThanOrEqual(3));
});
