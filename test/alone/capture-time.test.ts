import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { fetchDatedSegments, fetchStamp } from '../support/dated-segments.ts';
import { findEncoders, theOnly } from '../support/find-processes.ts';
import { encodeLightly, lightEncode } from '../support/light-encode.ts';
import { soon } from '../support/soon.ts';
import { stampKeyframes } from '../support/stamp-keyframes.ts';
import { makeSource } from '../support/synthetic-source.ts';
import { sendTag } from '../support/tag-role.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Playlists carry whole milliseconds. */
const roundingMs = 1;

let stage: Awaited<ReturnType<typeof startTestService>>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-capture-'));
  stage = await startTestService();
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

async function createStream(name: string, profiles: Profile[] = [], service = stage) {
  const { body } = await service.api('POST', '/stream', { name, profiles });
  const base = `${service.urls.playbackBaseUrl}/${body.playbackId}`;
  return {
    id: body.id as string,
    playlistUrl: (rendition: string) => `${base}/${rendition}/index.m3u8`,
    watch: async (is: (live: StreamLive) => boolean) => waitUntil(await service.app.stream.watch({ streamId: body.id }), is),
  };
}

/** Publishes all these tags at once, and resolves when the broadcast is over and all its renditions are complete. */
async function publish(stream: Awaited<ReturnType<typeof createStream>>, tags: readonly FlvTag[], renditions: number) {
  const publisher = await stage.publish(stream.id);
  for (const tag of tags) sendTag(publisher, tag);
  await publisher.close();
  await stream.watch(
    ({ stream: { transcodedSegments, sourceSegments, isActive } }) =>
      !isActive && sourceSegments > 0 && transcodedSegments === sourceSegments * renditions,
  );
}

/**
 * The segments of a media playlist, each with the capture time that its first picture carries, once there are so many and so many have
 * one: an ffmpeg that takes long to start misses a keyframe, and a segment then begins without one.
 */
async function fetchStampedSegments(playlistUrl: string, { least, leastStamped }: { least: number; leastStamped: number }) {
  const fetchAll = async () => {
    const dated = await fetchDatedSegments(playlistUrl);
    return Promise.all(dated.map(async (segment) => ({ ...segment, stamp: await fetchStamp(segment) })));
  };
  let segments: Awaited<ReturnType<typeof fetchAll>> = [];
  const areEnough = async () => {
    segments = await fetchAll();
    return segments.length >= least && segments.filter(({ stamp }) => stamp !== undefined).length >= leastStamped;
  };
  await expect.poll(areEnough).toBe(true);
  return segments;
}

test('a publisher that sends capture times has its segments dated exactly by them, in the source and in every rendition', async () => {
  const stream = await createStream('Stamped', [
    { name: '180p', bitrate: 300_000, fps: 0, width: 320, height: 180 },
    { name: '144p', bitrate: 150_000, fps: 0, width: 256, height: 144 },
  ]);
  const startedAtMs = Date.now() - 30_000;
  const captures: number[] = [];
  const tags = stampKeyframes(await makeSource({ seconds: 8, gopFrames: 50 }), (shownMs) => {
    // Its clock is set forward by 7 ms halfway through.
    const capturedAtMs = startedAtMs + shownMs + (shownMs >= 4_000 ? 7 : 0);
    captures.push(capturedAtMs);
    return { capturedAtMs, encodedAtMs: capturedAtMs + 40 };
  });
  await publish(stream, tags, 2);
  expect(captures).toHaveLength(4);
  for (const rendition of ['source', '180p', '144p']) {
    const segments = await fetchDatedSegments(stream.playlistUrl(rendition));
    expect(segments.map(({ dateMs }) => dateMs)).toEqual(captures);
  }
});

test('implausible capture times do not date segments', async () => {
  const stream = await createStream('Stamped by a wrong clock');
  const beforeMs = Date.now();
  const wrongMs = beforeMs + 3_600_000;
  const tags = await makeSource({ seconds: 4 });
  await publish(
    stream,
    stampKeyframes(tags, () => ({ capturedAtMs: wrongMs, encodedAtMs: wrongMs })),
    0,
  );
  const segments = await fetchDatedSegments(stream.playlistUrl('source'));
  expect(segments.length).toBeGreaterThan(0);
  for (const { dateMs } of segments) {
    expect(dateMs).toBeGreaterThanOrEqual(beforeMs);
    expect(dateMs).toBeLessThan(beforeMs + 1_800_000);
  }
});

test('a one-click broadcast is dated by its capture, even across a crash of its ffmpeg, and reports the stages of its latency', async () => {
  const stream = await createStream('One click');
  const askedAtMs = Date.now();
  await stage.app.broadcast.goLive({ streamId: stream.id, source: testSource, encode: lightEncode });
  await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
  // One that is replaced, as on a busy computer, runs beside its successor for a moment.
  const encoder = await soon(async () => theOnly(await findEncoders(process.pid)));
  expect(signalProcess(encoder, 'SIGKILL')).toBe(true);
  await stream.watch(({ log }) => log.some(({ event }) => event.code === 'encoder-restarted'));
  const segments = await fetchStampedSegments(stream.playlistUrl('source'), { least: 5, leastStamped: 4 });
  const nowMs = Date.now();
  const live = await stream.watch(() => true);
  await stage.app.broadcast.stop({ streamId: stream.id });

  expect(segments.length).toBeGreaterThanOrEqual(5);
  let earliestMs = askedAtMs;
  let stamped = 0;
  for (const { dateMs, stamp } of segments) {
    if (stamp === undefined) continue;
    stamped += 1;
    expect(Math.abs(dateMs - stamp.capturedAtMs)).toBeLessThanOrEqual(roundingMs);
    // A picture is captured after the one before it, then encoded, and received before it plays.
    expect(stamp.capturedAtMs).toBeGreaterThan(earliestMs);
    expect(stamp.encodedAtMs).toBeGreaterThan(stamp.capturedAtMs);
    expect(stamp.encodedAtMs).toBeLessThan(nowMs);
    earliestMs = stamp.capturedAtMs;
  }
  expect(stamped).toBeGreaterThanOrEqual(4);
  const number = expect.any(Number);
  expect(live.latency).toEqual({ fromCapture: true, encodeMs: number, uploadMs: number, packagingMs: number });
  expect(live.latency?.encodeMs).toBeGreaterThan(0);
});

test('a one-click broadcast that looks ahead is dated by its capture, and encoded ten frames later', async () => {
  await using looking = await startTestService();
  await looking.app.settings.update({ encoder: 'libx264', lookahead: true });
  const stream = await createStream('Looks ahead', [], looking);
  await looking.app.broadcast.goLive({ streamId: stream.id, source: testSource, encode: encodeLightly({ fps: 30 }) });
  const live = await stream.watch(
    ({ session, meters }) =>
      (session?.sourceSegments ?? 0) >= 3 &&
      // What its ffmpeg missed while it started is a longer one.
      meters?.keyframeIntervalSeconds === 1,
  );
  const segments = await fetchStampedSegments(stream.playlistUrl('source'), { least: 3, leastStamped: 3 });
  await looking.app.broadcast.stop({ streamId: stream.id });

  expect(segments.length).toBeGreaterThanOrEqual(3);
  for (const { dateMs, stamp } of segments) {
    if (stamp === undefined) continue;
    expect(Math.abs(dateMs - stamp.capturedAtMs)).toBeLessThanOrEqual(roundingMs);
    // Ten frames at 30 fps, less what the clock rounds.
    expect(stamp.encodedAtMs - stamp.capturedAtMs).toBeGreaterThan(300);
  }
  expect(live.latency?.encodeMs).toBeGreaterThan(300);
  expect(live.meters).toMatchObject({ keyframeIntervalSeconds: expect.closeTo(1, 1), audioChannels: 2 });
});

test('a publisher without capture times has only its packaging latency reported', async () => {
  const stream = await createStream('Plain');
  const publisher = await stage.publish(stream.id);
  for (const tag of await makeSource({ seconds: 4 })) sendTag(publisher, tag);
  const { latency } = await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  expect(latency).toEqual({ fromCapture: false, packagingMs: expect.any(Number) });
  await publisher.close();
  expect((await stream.watch(({ stream: { air } }) => air.kind === 'off-air')).latency).toBeUndefined();
});
