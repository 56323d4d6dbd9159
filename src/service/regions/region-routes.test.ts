import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { listenOnLoopback } from '../../../test/support/loopback-server.ts';
import { soon } from '../../../test/support/soon.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { RegionRoutes } from './region-routes.ts';

const dayMs = 1_700_000_000_000;
const running = { kind: 'running', since: dayMs } as Extract<OneClickState, { kind: 'running' }>;
const retrying = { ...running, kind: 'retrying' } as unknown as OneClickState;

test("a broadcast in another region is on air while its playlist keeps changing, silent once that stops, and unseen once it can't be read", async () => {
  let atMs = 0;
  let segment = 1;
  const changed: string[] = [];
  const sockets = new Set<Socket>();
  let isReachable = true;
  const server = createServer(({ socket }, response) => {
    if (isReachable) response.end(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${segment}.m4s\n`);
    else socket.destroy();
  });
  server.on('connection', (socket) => sockets.add(socket));
  const { port, ...listening } = await listenOnLoopback(server, sockets);
  const urls = {
    ingest: 'rtmp://127.0.0.1:1/live',
    playback: `http://127.0.0.1:${port}/hls`,
    base: `http://127.0.0.1:${port}`,
  };
  const jfk = { ...urls, code: 'jfk', isOwn: false, isListed: true, reach: urls };
  const routes = new RegionRoutes({
    regions: { list: () => [jfk], choose: async () => jfk, findReachable: async () => [jfk] },
    clock: { now: () => dayMs + atMs, monotonicMs: () => atMs },
    publish: async () => createFakePublisher(() => new Promise(() => {})),
    findPlaybackId: () => 'abc',
    mayChange: () => false,
    playbackPausesMs: { moving: 5, otherwise: 5 },
    retry: () => {},
    onChange: (streamId) => changed.push(streamId),
    onEvent: () => {},
  });
  onTestFinished(async () => {
    routes.close();
    await listening[Symbol.asyncDispose]();
  });
  routes.begin('show');
  await routes.connect('show', new AbortController().signal);
  const connecting = { kind: 'connecting', since: dayMs };
  expect(routes.air('show', running)).toEqual(connecting);
  expect(routes.air('show', retrying)).toEqual({ kind: 'off-air' });
  atMs = 15_000;
  expect(routes.air('show', running)).toEqual({ ...connecting, awaiting: 'playlist' });
  atMs = 0;
  const onAir = { kind: 'on-air', since: dayMs, sessionId: `jfk-${dayMs}` };
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));
  atMs = 10_000;
  await soon(() => expect(routes.air('show', running)).toEqual({ ...onAir, silentSince: dayMs }));
  segment = 2;
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));
  // Once its playlist can't be read, nobody here knows.
  isReachable = false;
  atMs = 25_000;
  await soon(() => expect(routes.air('show', running)).toMatchObject({ ...onAir, unseenSince: expect.any(Number) }));
  [isReachable, segment] = [true, 3];
  await soon(() => expect(routes.air('show', running)).toEqual(onAir));

  // It fails there for good: a broadcast was lost.
  const failure = { code: 'key-refused' } as const;
  routes.end('show', { kind: 'failed', source: testSource, at: dayMs + 12_000, failure, stderr: [] });
  expect(routes.air('show', running)).toBeUndefined();
  const { sessionId } = onAir;
  const ended = {
    startedAt: dayMs,
    endedAt: dayMs + 12_000,
    onAirMs: 12_000,
    reason: 'encoder-failed',
    severity: 'bad',
    failure,
  };
  expect(routes.lost('show')).toEqual({ sessionId, ...ended });
  routes.dismissLost('show', 'another');
  expect(routes.lost('show')?.sessionId).toBe(sessionId);
  changed.length = 0;
  routes.dismissLost('show', sessionId);
  expect([routes.lost('show'), changed]).toEqual([undefined, ['show']]);
});
