import { expect, onTestFinished, test } from 'vitest';
import { startCountedServer } from '../../../test/support/counted-server.ts';
import { makeDiskFault } from '../../../test/support/disk-fault.ts';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import type { MediaPublisher, PublicationEnd } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import type { CourseEvent } from './course-elsewhere.ts';
import { RegionRoutes } from './region-routes.ts';

const dayMs = 1_700_000_000_000;
const running = { kind: 'running', since: dayMs } as Extract<OneClickState, { kind: 'running' }>;
const starting = { ...running, kind: 'starting' } as unknown as OneClickState;
const retrying = { ...running, kind: 'retrying' } as unknown as OneClickState;
const failedAt = (at: number): OneClickState => {
  return { kind: 'failed', source: testSource, at, failure: { code: 'key-refused' }, stderr: [] };
};
const stopping = { ...running, kind: 'stopping' } as unknown as OneClickState;

/**
 * The routes of a service whose broadcasts go to JFK, which serves the playlist that `play` returns; undefined while it can't be
 * reached. With `next`, they move to that region when their connection to JFK ends, unless `mayChange` (the setting) or `mayMoveTo` (the
 * network) is false. JFK is chosen once `chosen` resolves, `isOwn` says whether it is this computer's own region, and `open` how its
 * ingest answers; the rest is read from the store.
 */
async function openRoutes(
  play: () => string | undefined,
  {
    closed = new Promise<PublicationEnd>(() => {}),
    chosen = Promise.resolve(),
    next,
    mayChange = next !== undefined,
    mayMoveTo = true,
    revealKey = () => 'key',
    findPlaybackId = () => 'abc',
    open = async () => createFakePublisher(() => closed),
    isOwn = false,
  }: {
    closed?: Promise<PublicationEnd>;
    chosen?: Promise<void>;
    next?: { code: string; isOwn: boolean };
    mayChange?: boolean;
    mayMoveTo?: boolean;
    revealKey?: () => string;
    findPlaybackId?: () => string;
    open?: (streamKey: string) => Promise<MediaPublisher>;
    isOwn?: boolean;
  } = {},
) {
  let atMs = 0;
  const changed: string[] = [];
  const sentKeys: string[] = [];
  const tried: string[] = [];
  let lastPath: string | undefined;
  const course: CourseEvent[] = [];
  const server = await startCountedServer(({ socket, url }, response) => {
    lastPath = url;
    const playlist = play();
    if (playlist === undefined) socket.destroy();
    else response.end(playlist);
  });
  const { port } = server;
  const urls = {
    ingest: 'rtmp://127.0.0.1:1/live',
    playback: `http://127.0.0.1:${port}/hls`,
    base: `http://127.0.0.1:${port}`,
  };
  const jfk = { ...urls, code: 'jfk', isOwn, isListed: true, reach: urls };
  let listed = jfk;
  const routes = new RegionRoutes({
    regions: {
      list: () => [listed],
      choose: () => chosen.then(() => jfk),
      findReachable: async () => [{ ...jfk, ...next }],
      mayMoveTo: () => mayMoveTo,
    },
    clock: { now: () => dayMs + atMs, monotonicMs: () => atMs },
    publish: async (ingest, streamKey) => {
      tried.push(ingest);
      sentKeys.push(streamKey);
      return open(streamKey);
    },
    revealKey,
    findPlaybackId,
    mayChange: () => mayChange,
    patienceMs: 0,
    playbackPausesMs: { moving: 5, otherwise: 5 },
    retry: () => {},
    onChange: (streamId) => changed.push(streamId),
    onEvent: () => {},
    onCourse: (_streamId, _severity, event) => course.push(event),
  });
  onTestFinished(async () => {
    routes.close();
    await server[Symbol.asyncDispose]();
  });
  const setTime = (ms: number) => {
    atMs = ms;
  };
  const connect = (streamId = 'show') => routes.connect(streamId, new AbortController().signal);
  /** From now on, JFK has this ingest, and its playback is under this path. */
  const moveUrls = (ingest: string, path: string) => {
    const moved = { ...urls, ingest, playback: `${urls.base}${path}` };
    listed = { ...jfk, ...moved, reach: moved };
    return moved;
  };
  /** Resolves when the current answer of `play` has been read. */
  const read = () => server.untilAskedAgain(2);
  return {
    routes,
    changed,
    sentKeys,
    tried,
    course,
    setTime,
    connect,
    urls,
    moveUrls,
    read,
    asked: () => server.asked,
    lastPath: () => lastPath,
  };
}

/** A media playlist whose newest segment is this; 0 is none yet. */
const playlistOf = (segment: number) => (segment === 0 ? '' : `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${segment}.m4s\n`);

test("a broadcast in another region is on air while its playlist keeps changing, silent once that stops, and unseen once it can't be read", async () => {
  let segment = 0;
  let isReachable = true;
  const { routes, changed, setTime, connect, read } = await openRoutes(() => (isReachable ? playlistOf(segment) : undefined));
  routes.begin('show');
  await connect();
  const connecting = { kind: 'connecting', since: dayMs };
  expect(routes.air('show', running)).toEqual(connecting);
  expect(routes.air('show', retrying)).toEqual({ kind: 'off-air' });
  setTime(14_999);
  expect(routes.air('show', running)).toEqual(connecting);
  setTime(15_000);
  expect(routes.air('show', running)).toEqual({ ...connecting, awaiting: 'playlist' });
  setTime(0);
  await read();
  segment = 1;
  const onAir = { kind: 'on-air', since: dayMs, sessionId: `jfk-${dayMs}` };
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));
  setTime(10_000);
  await soon(() => expect(routes.air('show', running)).toEqual({ ...onAir, silentSince: dayMs }));
  segment = 2;
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));
  // Once its playlist can't be read, its state is unknown here.
  isReachable = false;
  setTime(25_000);
  await soon(() => expect(routes.air('show', running)).toMatchObject({ ...onAir, unseenSince: expect.any(Number) }));
  [isReachable, segment] = [true, 3];
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));

  // Another encoder is on air here: this broadcast is still there. It fails for good, so it was lost.
  routes.noteOnAirHere('show', dayMs);
  routes.follow('show', failedAt(dayMs + 12_000));
  expect(routes.air('show', running)).toBeUndefined();
  const { sessionId } = onAir;
  const ended = {
    startedAt: dayMs,
    endedAt: dayMs + 12_000,
    onAirMs: 12_000,
    reason: 'encoder-failed',
    severity: 'bad',
    failure: { code: 'key-refused' },
  };
  expect(routes.lost('show')).toEqual({ sessionId, ...ended });
  // Another encoder has been on air here since before that: it is not a later broadcast.
  routes.noteOnAirHere('show', dayMs + 11_999);
  expect(routes.lost('show')).toEqual({ sessionId, ...ended });
  routes.dismissLost('show', 'another');
  expect(routes.lost('show')?.sessionId).toBe(sessionId);
  changed.length = 0;
  routes.dismissLost('show', sessionId);
  expect([routes.lost('show'), changed]).toEqual([undefined, ['show']]);
});

test('after a new connection a region has 10 s for its first media, and a later loss counts from its own moment', async () => {
  let segment = 0;
  let end = Promise.withResolvers<PublicationEnd>();
  const lose = () => end.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  const { routes, setTime, connect, read } = await openRoutes(() => playlistOf(segment), {
    open: async () => {
      end = Promise.withResolvers();
      const { promise } = end;
      return createFakePublisher(() => promise);
    },
  });
  const onAir = { kind: 'on-air', since: dayMs, sessionId: `jfk-${dayMs}` };
  routes.begin('show');
  await connect();
  routes.follow('show', running);
  await read();
  segment = 1;
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));

  setTime(20_000);
  await soon(() => expect(routes.air('show', running)).toEqual({ ...onAir, silentSince: dayMs }));
  lose();
  const away = { ...onAir, kind: 'reconnecting' };
  await soon(() => expect(routes.air('show', retrying)).toEqual({ ...away, lostAt: dayMs + 20_000 }));
  setTime(30_000);
  await connect();
  setTime(39_999);
  expect(routes.air('show', running)).toEqual(onAir);
  setTime(40_000);
  expect(routes.air('show', running)).toEqual({ ...onAir, silentSince: dayMs });
  segment = 2;
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));

  setTime(100_000);
  lose();
  await read();
  expect(routes.air('show', retrying)).toEqual({ ...away, lostAt: dayMs + 100_000 });
  routes.follow('show', failedAt(dayMs + 130_000));
  expect(routes.lost('show')).toMatchObject({ endedAt: dayMs + 130_000, onAirMs: 100_000 });
});

test('a broadcast that was lost there shows until another one begins or is on air here, or its stream is deleted', async () => {
  let segment = 0;
  const { routes, connect, read } = await openRoutes(() => playlistOf(segment));
  for (const end of [
    () => routes.begin('show'),
    () => routes.noteOnAirHere('show', dayMs + 12_000),
    () => routes.forgetLost('show'),
  ]) {
    routes.begin('show');
    await connect();
    await read();
    segment += 1;
    await soon(() => expect(routes.air('show', running)?.kind).toBe('on-air'));
    routes.follow('show', failedAt(dayMs + 12_000));
    expect(routes.lost('show')).toMatchObject({ endedAt: dayMs + 12_000, failure: { code: 'key-refused' } });
    end();
    expect(routes.lost('show')).toBeUndefined();
  }
});

test('a region whose URLs have changed gets the next connection at its new ingest, and is watched at its new playback', async () => {
  const { routes, tried, connect, moveUrls, read, lastPath } = await openRoutes(() => playlistOf(0));
  routes.begin('show');
  await connect();
  await read();
  expect(lastPath()).toBe('/hls/abc/index.m3u8');
  const { playback } = moveUrls('rtmp://127.0.0.1:2/live', '/moved');
  await connect();
  expect(tried).toEqual(['rtmp://127.0.0.1:1/live', 'rtmp://127.0.0.1:2/live']);
  expect(routes.view('show')).toMatchObject({ code: 'jfk', playback });
  await soon(() => expect(lastPath()).toBe('/moved/abc/index.m3u8'));
});

test('it logs when it is on air there, back, and ended', async () => {
  let segment = 0;
  const { routes, course, setTime, connect, read } = await openRoutes(() => playlistOf(segment));
  routes.begin('show');
  await connect();
  routes.follow('show', running);
  await read();
  setTime(3_000);
  segment = 1;
  const onAir = { code: 'on-air', afterMs: 3_000 };
  await soon(() => expect(course).toEqual([onAir]));

  // A brief loss: viewers have something new only after the region takes our media again.
  setTime(20_000);
  segment = 2;
  await read();
  routes.follow('show', retrying);
  setTime(22_000);
  await connect();
  routes.follow('show', running);
  await read();
  expect(course).toEqual([onAir]);
  setTime(26_000);
  segment = 3;
  const back = { code: 'back-on-air', afterMs: 6_000 };
  await soon(() => expect(course).toEqual([onAir, back]));

  routes.end('show', { reason: 'suspended', by: 'Bot' });
  routes.follow('show', stopping);
  routes.follow('show', { kind: 'idle' });
  expect(course).toEqual([onAir, back, { code: 'ended', reason: 'suspended', by: 'Bot' }]);
});

test("a playlist of an earlier broadcast that a region still plays doesn't put the next one on air", async () => {
  let segment = 7;
  const { routes, course, setTime, connect, read } = await openRoutes(() => playlistOf(segment));
  routes.begin('show');
  await connect();
  routes.follow('show', running);
  setTime(9_000);
  await read();
  expect([routes.air('show', running)?.kind, course]).toEqual(['connecting', []]);
  segment = 8;
  await soon(() => expect(course).toEqual([{ code: 'on-air', afterMs: 9_000 }]));
  expect(routes.air('show', running)?.kind).toBe('on-air');
});

test("another encoder's broadcast in the region isn't this one, which is on air once the region plays its own media", async () => {
  let segment = 0;
  const { promise: taken, resolve: take } = Promise.withResolvers<MediaPublisher>();
  const { routes, setTime, connect, read } = await openRoutes(() => playlistOf(segment), { open: () => taken });
  routes.begin('show');
  const connected = connect();
  await read();
  for (segment = 1; segment < 3; segment += 1) await read();
  const connecting = { kind: 'connecting', since: dayMs };
  const offAir = { kind: 'off-air' };
  expect([starting, retrying].map((state) => routes.air('show', state))).toEqual([connecting, offAir]);

  setTime(60_000);
  take(createFakePublisher(() => new Promise(() => {})));
  await connected;
  expect([running, retrying].map((state) => routes.air('show', state))).toEqual([connecting, offAir]);
  setTime(62_000);
  segment = 4;
  const session = { sessionId: `jfk-${dayMs + 62_000}`, since: dayMs + 62_000 };
  await soon(() => expect(routes.air('show', running)).toEqual({ kind: 'on-air', ...session }));
  expect(routes.air('show', retrying)).toEqual({ kind: 'reconnecting', ...session, lostAt: dayMs + 62_000 });
});

test('a loss before viewers had anything counts from when the connection broke', async () => {
  let segment = 0;
  const ending = Promise.withResolvers<PublicationEnd>();
  const { routes, setTime, connect, read } = await openRoutes(() => playlistOf(segment), { closed: ending.promise });
  routes.begin('show');
  await connect();
  await read();
  setTime(3_000);
  ending.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  await read();
  routes.follow('show', retrying);
  segment = 1;
  await soon(() => expect(routes.air('show', retrying)?.kind).toBe('reconnecting'));
  setTime(60_000);
  expect(routes.air('show', retrying)).toMatchObject({ lostAt: dayMs + 3_000 });
});

test('a broadcast that viewers had there is lost while it moves to this computer, until it is on air here and logged here', async () => {
  let segment = 0;
  const ending = Promise.withResolvers<PublicationEnd>();
  const { routes, course, setTime, connect, read } = await openRoutes(() => playlistOf(segment), {
    closed: ending.promise,
    next: { code: 'ber', isOwn: true },
  });
  routes.begin('show');
  await connect();
  routes.follow('show', running);
  await read();
  setTime(1_000);
  segment = 1;
  await soon(() => expect(routes.air('show', running)?.kind).toBe('on-air'));
  expect(routes.moving('show', running)).toBeUndefined();
  setTime(20_000);
  ending.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  await soon(() => expect(routes.isElsewhere('show')).toBe(false));
  setTime(23_000);
  const lost = { kind: 'reconnecting', since: dayMs + 1_000, sessionId: `jfk-${dayMs + 1_000}`, lostAt: dayMs + 20_000 };
  expect([routes.air('show', retrying), routes.moving('show', retrying)]).toEqual([undefined, lost]);
  // This computer takes our media: viewers have nothing of it yet.
  await connect();
  expect([running, stopping].map((state) => routes.moving('show', state))).toEqual([lost, undefined]);
  routes.noteOnAirHere('show', dayMs + 25_000);
  expect(routes.moving('show', running)).toBeUndefined();

  // Its session here logs its end and its loss.
  routes.follow('show', failedAt(dayMs + 30_000));
  expect([course, routes.lost('show')]).toEqual([[{ code: 'on-air', afterMs: 1_000 }], undefined]);
});

test('a broadcast that viewers had there is back, not new, while another region takes it and they have nothing of it yet', async () => {
  let segment = 0;
  const ending = Promise.withResolvers<PublicationEnd>();
  const { routes, setTime, connect, read } = await openRoutes(() => playlistOf(segment), {
    closed: ending.promise,
    next: { code: 'sin', isOwn: false },
  });
  const air = () => routes.air('show', running);
  routes.begin('show');
  await connect();
  routes.follow('show', running);
  await read();
  segment = 1;
  await soon(() => expect(air()?.kind).toBe('on-air'));
  setTime(20_000);
  ending.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  await soon(() => expect(routes.view('show')?.code).toBe('sin'));
  setTime(24_000);
  await connect();
  const back = { kind: 'reconnecting', since: dayMs, sessionId: `jfk-${dayMs}`, lostAt: dayMs + 20_000, back: 'sending' };
  expect(air()).toEqual(back);
  // It would be a guess that viewers don't have it by now.
  setTime(39_000);
  expect(air()).toMatchObject({ kind: 'connecting', awaiting: 'playlist' });
  await read();
  segment = 2;
  await soon(() => expect(air()).toEqual({ kind: 'on-air', since: dayMs + 39_000, sessionId: `sin-${dayMs + 39_000}` }));
});

test.each([{ mayChange: false }, { mayMoveTo: false }])(
  'a region that a broadcast may not move to by itself is offered, until it is taken or the broadcast is stopped (%o)',
  async (may) => {
    const { promise: closed, resolve: end } = Promise.withResolvers<PublicationEnd>();
    const { routes, changed, connect, urls } = await openRoutes(() => undefined, {
      isOwn: true,
      closed,
      next: { code: 'sin', isOwn: false },
      ...may,
    });
    const { ingest, playback } = urls;
    const views = () => ['show', 'talk'].map((streamId) => routes.view(streamId));
    for (const streamId of ['show', 'talk']) {
      routes.begin(streamId);
      await connect(streamId);
    }
    expect(views()).toEqual([undefined, undefined]);
    changed.length = 0;
    end({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
    await soon(() => expect(changed).toEqual(['show', 'talk']));
    const offered = { code: 'jfk', isOwn: true, ingest, playback, offer: 'sin' };
    expect(views()).toEqual([offered, offered]);

    routes.follow('talk', stopping);
    expect(['show', 'talk'].map((streamId) => routes.takeOffer(streamId, 'sin'))).toEqual([true, false]);
    expect(routes.view('show')).toEqual({ code: 'sin', isOwn: false, ingest, playback, offer: undefined });
  },
);

test('a broadcast that failed while a region was chosen for it watches none', async () => {
  const chosen = Promise.withResolvers<void>();
  const { routes, connect, asked } = await openRoutes(() => playlistOf(1), { chosen: chosen.promise });
  routes.begin('show');
  const connecting = connect();
  routes.follow('show', {
    kind: 'failed',
    source: testSource,
    at: dayMs,
    failure: { code: 'killed', signal: 'SIGKILL' },
    stderr: [],
  });
  chosen.resolve();
  await expect(connecting).rejects.toThrow(DOMException);
  expect([routes.isElsewhere('show'), asked()]).toEqual([false, 0]);
});

test("while the store can't be read, a broadcast reconnects with the key it had, until that is renewed", async () => {
  const read = { fails: false, key: 'old' };
  const { routes, connect, sentKeys } = await openRoutes(() => undefined, {
    revealKey() {
      if (read.fails) throw makeDiskFault();
      return read.key;
    },
  });
  routes.begin('show');
  await connect();
  read.fails = true;
  await connect();
  expect(sentKeys).toEqual(['old', 'old']);

  routes.forgetKey('show');
  await expect(connect()).rejects.toThrow(makeDiskFault());
  Object.assign(read, { fails: false, key: 'new' });
  await connect();
  read.fails = true;
  await connect();
  expect(sentKeys.slice(2)).toEqual(['new', 'new']);

  // The broadcast ends: the next one has to read the key again.
  routes.follow('show', { kind: 'idle' });
  routes.begin('show');
  await expect(connect()).rejects.toThrow(makeDiskFault());
});

test('a region is watched, though the playback id could not be read from the store at first', async () => {
  let segment = 0;
  let isFirst = true;
  const { routes, connect, read } = await openRoutes(() => playlistOf(segment), {
    findPlaybackId() {
      if (!isFirst) return 'abc';
      isFirst = false;
      throw makeDiskFault();
    },
  });
  routes.begin('show');
  await connect();
  routes.follow('show', running);
  await read();
  segment = 1;
  await soon(() => expect(routes.air('show', running)?.kind).toBe('on-air'));
});

test('a key that is gone with its stream is not used any more', async () => {
  const gone = new ServiceError('NOT_FOUND', 'No stream has this id.');
  let isThere = true;
  const { routes, connect, sentKeys } = await openRoutes(() => undefined, {
    revealKey() {
      if (!isThere) throw gone;
      return 'key';
    },
  });
  routes.begin('show');
  await connect();
  isThere = false;
  await expect(connect()).rejects.toThrow(gone);
  expect(sentKeys).toEqual(['key']);
});

test.each([true, false])(
  'a key that is renewed while it is being checked is no reason to give up (own region: %s)',
  async (isOwn) => {
    let kept = 'old';
    const { routes, connect, sentKeys } = await openRoutes(() => undefined, {
      isOwn,
      revealKey: () => kept,
      async open(streamKey) {
        if (streamKey === 'new') return createFakePublisher(() => new Promise<PublicationEnd>(() => {}));
        kept = 'new';
        routes.forgetKey('show');
        throw new PublishError('refused', { code: 'key-refused' });
      },
    });
    routes.begin('show');
    await expect(connect()).rejects.toMatchObject({ kind: 'lost', failure: { code: 'key-refused' } });
    await connect();
    expect(sentKeys).toEqual(['old', 'new']);
  },
);

test('a key that is refused and has not been renewed ends the broadcast', async () => {
  const { routes, connect } = await openRoutes(() => undefined, {
    isOwn: true,
    open: () => Promise.reject(new PublishError('refused', { code: 'key-refused' })),
  });
  routes.begin('show');
  await expect(connect()).rejects.toMatchObject({ kind: 'refused', failure: { code: 'key-refused' } });
});
