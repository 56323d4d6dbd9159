import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultIngestBounds } from '../../src/service/config.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let stage: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  stage = await startTestService();
});
afterAll(() => stage.close());

async function createStream(name: string) {
  const { body } = await stage.api('POST', '/stream', { name });
  const publishUrl = `${stage.urls.ingestBaseUrl}/${body.streamKey}`;
  const playlistUrl = `${stage.urls.playbackBaseUrl}/${body.playbackId}/index.m3u8`;
  const watch = async (is: (live: Awaited<ReturnType<typeof current>>) => boolean) =>
    waitUntil(await stage.app.stream.watch({ streamId: body.id }), is);
  const current = async () => waitUntil(await stage.app.stream.watch({ streamId: body.id }), () => true);
  return { id: body.id as string, publishUrl, playlistUrl, watch, current };
}

test.concurrent('a publish makes the stream active with its first segment, and its end makes it inactive with every segment counted', async ({
  expect,
}) => {
  const stream = await createStream('Whole broadcast');
  expect((await fetch(stream.playlistUrl)).status).toBe(404);
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { isActive } }) => isActive);
  expect((await fetch(stream.playlistUrl)).status).toBe(200);
  const live = await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
  expect(live).toMatchObject({
    stream: { air: { kind: 'on-air' } },
    meters: { width: 320, height: 180, audioSampleRateHz: 48_000 },
  });
  const read = async () => (await stage.api('GET', `/stream/${stream.id}`)).body;
  const { isActive, lastSeen } = await read();
  expect(isActive).toBe(true);
  // It is kept current while media arrives.
  await expect.poll(async () => (await read()).lastSeen).toBeGreaterThan(lastSeen);

  expect(await publisher.quit()).toEqual({ exitCode: 0, stderr: '' });
  await stream.watch(({ stream: { air } }) => air.kind === 'off-air');
  const parent = await read();
  const [session, ...others] = (await stage.api('GET', `/stream/${stream.id}/sessions`)).body;
  expect(others).toEqual([]);
  expect(parent).toMatchObject({ isActive: false, transcodedSegments: 0, transcodedSegmentsDuration: 0 });
  expect(session).toMatchObject({ parentId: stream.id, isActive: false, sourceSegments: parent.sourceSegments });
  expect(session).not.toHaveProperty('streamKey');
  expect(session.sourceSegmentsDuration).toBe(parent.sourceSegmentsDuration);
  expect((await fetch(stream.playlistUrl)).status).toBe(404);
});

test.concurrent('a publisher that crashes and reconnects continues the session, and the playlist never goes back', async () => {
  const stream = await createStream('Crash');
  const mediaPlaylistUrl = stream.playlistUrl.replace('index.m3u8', 'source/index.m3u8');
  await using first = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  await first.kill();
  // The verdict follows within a second.
  const lost = await stream.watch(({ stream: { air }, verdict }) => air.kind === 'reconnecting' && verdict?.severity === 'bad');
  expect(lost.stream.isActive).toBe(true);
  expect(lost.verdict).toEqual({ code: 'encoder-gone', severity: 'bad', isOwn: false });
  const before = await (await fetch(mediaPlaylistUrl)).text();
  expect(before).not.toContain('#EXT-X-ENDLIST');
  await using second = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  const after = await (await fetch(mediaPlaylistUrl)).text();
  expect(after).toContain('#EXT-X-DISCONTINUITY\n');
  const segments = (text: string) => text.split('\n').filter((line) => line.endsWith('.m4s'));
  expect(segments(after).slice(0, segments(before).length)).toEqual(segments(before));
  await second.quit();
  await stream.watch(({ stream: { air } }) => air.kind === 'off-air');
  expect((await stage.api('GET', `/stream/${stream.id}/sessions`)).body).toHaveLength(1);
});

test.concurrent('a second publisher with the same key takes over, and the first is disconnected', async () => {
  const stream = await createStream('Takeover');
  await using first = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  await using second = startFfmpegPublisher(stream.publishUrl);
  expect((await first.ended).exitCode).not.toBe(0);
  const live = await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 3);
  expect(live.stream.air.kind).toBe('on-air');
  const tookOver = { code: 'took-over', encoder: { name: 'FFmpeg', address: '127.0.0.1' } };
  expect(live.log.map(({ event }) => event)).toContainEqual(tookOver);
  await second.quit();
});

test.concurrent('a wrong key is refused, and the publisher gets the reason', async () => {
  await using publisher = startFfmpegPublisher(`${stage.urls.ingestBaseUrl}/aaaa-bbbb-cccc-dddd`);
  const { exitCode, stderr } = await publisher.ended;
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('Unknown stream key.');
});

test.concurrent('terminate ends the running broadcast, and the stream stays usable', async () => {
  const stream = await createStream('Terminate');
  await using first = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  expect((await stage.api('DELETE', `/stream/${stream.id}/terminate`)).status).toBe(204);
  // Once in 5 s.
  expect((await stage.api('DELETE', `/stream/${stream.id}/terminate`)).status).toBe(429);
  expect((await first.ended).exitCode).not.toBe(0);
  expect((await stage.api('GET', `/stream/${stream.id}`)).body.isActive).toBe(false);
  await using second = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  await second.quit();
});

test.concurrent('deleting a live stream ends it, refuses its key and removes its playback', async () => {
  const stream = await createStream('Delete');
  await using first = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  expect((await stage.api('DELETE', `/stream/${stream.id}`)).status).toBe(204);
  expect((await first.ended).exitCode).not.toBe(0);
  expect((await stage.api('GET', `/stream/${stream.id}`)).status).toBe(404);
  expect((await fetch(stream.playlistUrl)).status).toBe(404);
  await using second = startFfmpegPublisher(stream.publishUrl);
  expect((await second.ended).stderr).toContain('Unknown stream key.');
});

test.concurrent('healthz reports whether the service can write its store and take media, and fails when all connections are in use', async () => {
  await using small = await startTestService({ ingestBounds: { ...defaultIngestBounds, maxConnections: 1 } });
  const healthUrl = new URL('/healthz', small.urls.apiBaseUrl);
  expect((await fetch(healthUrl)).status).toBe(200);
  const { id } = await small.app.stream.create({ name: 'Full' });
  await using publisher = await small.publish(id);
  const full = await fetch(healthUrl);
  expect([full.status, await full.json()]).toEqual([503, { errors: ['All 1 RTMP connections are in use.'] }]);
  await publisher.close();
});
