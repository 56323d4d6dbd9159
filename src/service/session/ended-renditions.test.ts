import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CountedArchive } from '../../../test/support/counted-archive.ts';
import { startEchoLadder } from '../../../test/support/echo-ladder.ts';
import { LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import type { Profile } from '../../shared/model/profile.ts';
import { playbackRoutes } from '../hls/hls-routes.ts';
import { createHttpServer } from '../http/http-server.ts';

const named = (name: string): Profile => ({ name, width: 640, height: 360, bitrate: 500_000, fps: 0 });

/**
 * A stream whose publisher has just ended a session of four segments, and its playlists. Renditions drain when `drained`
 * resolves.
 */
async function endBroadcast({ profiles = ['high', 'low'], drained }: { profiles?: string[]; drained?: Promise<void> } = {}) {
  const archive = new CountedArchive();
  const next = { profiles };
  const stage = new LiveStage({
    archive,
    profiles: () => next.profiles.map(named),
    startLadder: (options) => startEchoLadder(options, drained),
  });
  const connect = () => stage.stream.admit(stage.createPublisher());
  const sink = connect();
  // Segments are made from the next turn of the event loop on, once it is known that no earlier publisher is draining.
  await setImmediate();
  stage.play(sink);
  sink.end({ kind: 'unpublished' });
  await setImmediate();
  return {
    ...stage,
    archive,
    next,
    connect,
    play: (...media: Parameters<LiveStage['play']>) => stage.play(...media),
    /** Each rendition's segments, and whether its playlist has ended. */
    playing: () => {
      const playback = stage.stream.playback();
      if (playback.kind !== 'playable') return playback.kind;
      return playback.renditions.map(
        ({ name, store }) => `${name} ${store.segments.map(({ msn }) => msn)}${store.ended ? ' end' : ''}`,
      );
    },
  };
}

const whole = ['source 0,1,2,3 end', 'high 0,1,2,3 end', 'low 0,1,2,3 end'];

test('an encoder that sends nothing does not keep viewers from finishing a rendition of the broadcast before', async () => {
  const { connect, playing, state, stream } = await endBroadcast();
  expect(playing()).toEqual(whole);
  const silent = connect();
  expect(playing()).toEqual(whole);
  silent.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  state.now += 10_000;
  stream.tick();
  await setImmediate();
  expect(playing()).toEqual(whole);
  connect();
  connect();
  expect(playing()).toEqual(whole);
});

test('the first segment of the next broadcast replaces the renditions of the one before, whatever their names are', async () => {
  const { connect, playing, next, play } = await endBroadcast();
  next.profiles = ['low', 'tiny'];
  const sink = connect();
  await setImmediate();
  play(sink, oneSegment.slice(0, oneSegment.length / 2));
  expect(playing()).toEqual(whole);
  play(sink, oneSegment.slice(oneSegment.length / 2));
  expect(playing()).toEqual(['source 4', 'low 4', 'tiny 4']);
});

test('a broadcast without renditions replaces those of the one before too', async () => {
  const { connect, playing, next, play } = await endBroadcast();
  next.profiles = [];
  play(connect(), oneSegment);
  expect(playing()).toEqual(['source 4']);
});

test('a request that waits for the last segment of a rendition gets its end, although the next encoder has connected', async () => {
  const encoded = Promise.withResolvers<void>();
  const { connect, playing, stream } = await endBroadcast({ drained: encoded.promise });
  const app = createHttpServer({ log: pino({ level: 'silent' }) });
  await app.register(playbackRoutes({ find: () => stream.playback() }), { prefix: '/hls' });
  const waiting = app.inject('/hls/show/low/index.m3u8?_HLS_msn=3');
  // By the time this is answered, the other request has begun to wait.
  await app.inject('/hls/show/source/index.m3u8');
  connect();
  expect(playing()).toEqual(['source 0,1,2,3 end', 'high 0,1,2', 'low 0,1,2']);
  encoded.resolve();
  const { statusCode, body } = await waiting;
  expect([statusCode, body.match(/\d\.m4s|#EXT-X-ENDLIST/g)]).toEqual([
    200,
    ['0.m4s', '1.m4s', '2.m4s', '3.m4s', '#EXT-X-ENDLIST'],
  ]);
  expect(playing()).toEqual(whole);
  await app.close();
});

test('renditions that play no longer, or never will, keep nothing on disk', async () => {
  const { connect, archive, play, state, stream } = await endBroadcast();
  const broadcast = ['source', 'high', 'low'];
  expect(archive.folders).toBe(broadcast.length);
  const silent = connect();
  expect(archive.folders).toBe(broadcast.length + 2);
  silent.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  expect(archive.folders).toBe(broadcast.length);
  const sink = connect();
  play(sink, oneSegment);
  expect(archive.folders).toBe(broadcast.length);
  sink.end({ kind: 'unpublished' });
  await setImmediate();
  state.now += 60_001;
  stream.tick();
  expect(archive.folders).toBe(1);
});

test('a stream that is deleted while the next encoder connects leaves nothing on disk', async () => {
  const encoded = Promise.withResolvers<void>();
  const { connect, archive, stream } = await endBroadcast({ drained: encoded.promise });
  connect();
  stream.end({ reason: 'deleted' });
  const closed = stream.close();
  encoded.resolve();
  await closed;
  expect(archive.folders).toBe(0);
});
