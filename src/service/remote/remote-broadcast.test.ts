import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCountedServer } from '../../../test/support/counted-server.ts';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import type { PublicationEnd } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import type { RegionEvent } from '../regions/region-route.ts';
import { RemoteBroadcast } from './remote-broadcast.ts';
import { RemoteError } from './remote-error.ts';
import type { Remote } from './remote-services.ts';

const dayMs = 1_700_000_000_000;
const running = { kind: 'running', since: dayMs } as Extract<OneClickState, { kind: 'running' }>;
const retrying = { ...running, kind: 'retrying' } as unknown as OneClickState;
const never = new AbortController().signal;
const onAir = { kind: 'on-air', since: dayMs, sessionId: `jfk-${dayMs}` };

const ber: IngestPair = { ingest: 'rtmp://ber-rtmp.example.com/live', playback: 'https://ber-cdn.example.com/hls' };
const refuse = (ingest: string) => Promise.reject(new PublishError('refused', { code: 'key-refused', says: ingest }));

/**
 * A broadcast to a service with the interface at `api` that begins in New York, whose playback is a server of the test's own. `choose` is
 * the service's nearest, `publish` plays the ingests, and `reached` are those that can be reached.
 */
async function openBroadcast({
  api = 'https://ber-cdn.example.com/api',
  choose = () => Promise.resolve(ber),
  publish = async (_ingest: string) => createFakePublisher(() => ended.promise),
  ended = Promise.withResolvers<PublicationEnd>(),
  reached = [] as string[],
} = {}) {
  let segment = 0;
  let nowMs = 0;
  let hold: ((response: ServerResponse) => void) | undefined;
  const server = await startCountedServer((_, response) => {
    if (hold !== undefined) {
      hold(response);
      return;
    }
    response.end(segment === 0 ? '' : `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${segment}.m4s\n`);
  });
  const jfk: IngestPair = { ingest: 'rtmp://jfk-rtmp.example.com/live', playback: `http://127.0.0.1:${server.port}/hls` };
  const events: RegionEvent[] = [];
  const find = (ingest: string) =>
    reached.includes(ingest) ? { kind: 'reached' as const, ms: 1, measuredAt: dayMs } : undefined;
  const broadcast = new RemoteBroadcast({
    first: jfk,
    service: () => ({ kept: { pairs: [jfk, ber], baseUrl: api }, api: { findNearestPair: choose } }) as unknown as Remote,
    playbackId: 'play',
    publish,
    playbackPausesMs: { moving: 5, otherwise: 5 },
    meter: { known: async () => {}, find },
    mayChange: () => false,
    clock: { now: () => dayMs + nowMs, monotonicMs: () => nowMs },
    retry: () => {},
    onChange: () => {},
    onEvent: (event) => events.push(event),
    patienceMs: 0,
  });
  onTestFinished(async () => {
    broadcast.close();
    await server[Symbol.asyncDispose]();
  });
  return {
    broadcast,
    events,
    ended,
    /** Our media is accepted, and the region serves a first playlist of it, so long after that. */
    async play(afterMs = 0) {
      await broadcast.route.connect(never);
      nowMs += afterMs;
      broadcast.follow(running);
      await server.untilAskedAgain(2);
      segment += 1;
      const since = dayMs + nowMs;
      const air = { ...onAir, since, sessionId: `jfk-${since}` };
      await soon(() => expect(broadcast.see(running)).toEqual({ region: 'jfk', air }));
    },
    /** Resolves when the region is asked for its playlist, which it never answers. */
    holdPlaylist: () =>
      new Promise<ServerResponse>((resolve) => {
        hold = resolve;
      }),
    /** Whether the region, which answers again, is asked for its playlist from now on. */
    async isAskedStill() {
      hold = undefined;
      const { asked } = server;
      await setTimeout(100);
      return server.asked > asked;
    },
    jfk,
    asked: () => server.asked,
  };
}

test('a broadcast in a region that is not that of the interface is seen by its playlist, and waits while its connection is lost', async () => {
  const { broadcast, play, ended } = await openBroadcast();
  await broadcast.route.connect(never);
  expect(broadcast.see(running)).toEqual({ region: 'jfk', air: { kind: 'connecting', since: dayMs } });
  await play();
  ended.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  broadcast.follow(retrying);
  expect(broadcast.see(retrying)).toEqual({ region: 'jfk', air: { ...onAir, kind: 'reconnecting', lostAt: dayMs } });
  broadcast.close();
  expect(broadcast.see(running)).toBeUndefined();
});

test("one that moves from there to the interface's own region waits until the service calls it active", async () => {
  const { broadcast, play, ended } = await openBroadcast({ reached: [ber.ingest] });
  await play();
  ended.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  broadcast.follow(retrying);
  await soon(() => expect(broadcast.route.takeOffer('ber')).toBe(true));
  const away = { ...onAir, kind: 'reconnecting', lostAt: dayMs };
  expect(broadcast.see(retrying)).toEqual({ region: 'ber', air: away });
  expect(broadcast.see(running)).toEqual({ region: 'ber', air: { ...away, back: 'sending' } });
  broadcast.noteActive();
  expect([broadcast.see(running), broadcast.see(retrying)]).toEqual([undefined, undefined]);
});

test('once the service calls it active, the service is believed, and the playlist is asked for no more', async () => {
  const { broadcast, play, holdPlaylist, isAskedStill } = await openBroadcast();
  await play();
  const closed = once(await holdPlaylist(), 'close');
  broadcast.noteActive();
  expect([broadcast.see(running), broadcast.see(retrying)]).toEqual([undefined, undefined]);
  await closed;
  expect(await isAskedStill()).toBe(false);
});

test('viewers there have it from the first playlist since our media was accepted until its connection is lost', async () => {
  const { broadcast, play, ended } = await openBroadcast();
  expect(broadcast.isPlaying).toBe(false);
  await play(1_000);
  expect(broadcast.isPlaying).toBe(true);
  ended.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  broadcast.follow(retrying);
  expect(broadcast.isPlaying).toBe(false);
});

test('once it is over, the playlist is asked for no more, and no other region can be taken', async () => {
  const { broadcast, play, holdPlaylist, isAskedStill, ended } = await openBroadcast({ reached: [ber.ingest] });
  await play();
  ended.resolve({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
  broadcast.follow(retrying);
  await soon(() => expect(broadcast.route.offer).toMatchObject({ code: 'ber' }));
  const closed = once(await holdPlaylist(), 'close');
  broadcast.close();
  await closed;
  expect(await isAskedStill()).toBe(false);
  expect(broadcast.route.takeOffer('ber')).toBe(false);
});

test('in the region of the interface, nothing is watched: it tells what it has', async () => {
  const { broadcast, jfk, asked } = await openBroadcast({ api: 'https://jfk-rtmp.example.com/api' });
  await broadcast.route.connect(never);
  expect([broadcast.route.region, broadcast.see(running), asked()]).toEqual([{ ...jfk, code: 'jfk' }, undefined, 0]);
});

test.each([
  ['has the host of the interface', 'https://ber-cdn.example.com/api'],
  ['is the one that the service chooses', 'https://api.example.com/api'],
])('a broadcast whose region does not have the stream begins in the one that %s', async (_, api) => {
  const publisher = createFakePublisher(() => new Promise(() => {}));
  const { broadcast, jfk, events } = await openBroadcast({
    api,
    publish: async (ingest) => (ingest === ber.ingest ? publisher : refuse(ingest)),
  });
  expect(await broadcast.route.connect(never)).toBe(publisher);
  expect(broadcast.route.region).toEqual({ ...ber, code: 'ber' });
  const failure = { code: 'stream-unknown', region: 'jfk', ofService: true, says: jfk.ingest };
  expect(events).toEqual([{ code: 'region-refused', region: 'jfk', back: 'ber', failure }]);
});

test.each<[string, string, (() => Promise<IngestPair>) | undefined]>([
  ['is that of the interface', 'https://jfk-rtmp.example.com/api', undefined],
  [
    'may be: the service does not say which it chooses',
    'https://api.example.com/api',
    () => Promise.reject(new RemoteError({ code: 'server-error', status: 502 })),
  ],
])('a key that is refused by a region that %s is refused', async (_, api, choose) => {
  const { broadcast, events } = await openBroadcast({ api, ...(choose && { choose }), publish: refuse });
  await expect(broadcast.route.connect(never)).rejects.toMatchObject({ kind: 'refused', failure: { code: 'key-refused' } });
  expect(events).toEqual([]);
});
