import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createLadderStream, ladderFailures } from '../support/ladder-stream.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { startTestService } from '../support/test-service.ts';

const run = promisify(execFile);
let stage: Awaited<ReturnType<typeof startTestService>>;
/** A service whose ladders encode nothing until the file `mayEncode` exists. */
let late: Awaited<ReturnType<typeof startTestService>>;
let mayEncode: string;
beforeAll(async () => {
  mayEncode = join(await mkdtemp(join(tmpdir(), 'tallylight-late-')), 'may-encode');
  const wait = `while [ ! -e '${mayEncode}' ]; do sleep 0.05; done`;
  vi.stubEnv('TALLYLIGHT_FFMPEG', await makeOddFfmpeg(`case "$*" in *-filter_complex*) ${wait};; esac`));
  late = await startTestService();
  vi.unstubAllEnvs();
  stage = await startTestService();
});
afterAll(() => Promise.all([stage.close(), late.close()]));

const createStream = (name: string) => createLadderStream(stage, name);

test.concurrent('every segment of the source has one in each rendition, with the same number and duration, to the last', async () => {
  const stream = await createStream('Ladder');
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  const live = await stream.complete();
  expect(live.renditions.map(({ name, state, width, height }) => ({ name, state, width, height }))).toEqual([
    { name: '180p', state: 'running', width: 320, height: 180 },
    { name: '144p', state: 'running', width: 256, height: 144 },
  ]);
  expect(await stream.offered()).toEqual(['source/index.m3u8', '180p/index.m3u8', '144p/index.m3u8']);
  await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 5);
  expect((await publisher.quit()).exitCode).toBe(0);
  await stream.watch(
    ({ stream: { transcodedSegments, sourceSegments, isActive } }) => !isActive && transcodedSegments === sourceSegments * 2,
  );
  const [source, first, second] = await Promise.all(['source', '180p', '144p'].map(stream.playlist));
  const expected = readPlaylist(source as string).segments;
  expect(expected.length).toBeGreaterThanOrEqual(4);
  for (const playlist of [first, second]) {
    const segments = readPlaylist(playlist as string).segments;
    expect(segments.map(({ msn }) => msn)).toEqual(expected.map(({ msn }) => msn));
    for (const [index, { seconds, gap }] of segments.entries()) {
      expect(gap).toBe(false);
      expect(Math.abs(seconds - (expected[index]?.seconds ?? 0))).toBeLessThanOrEqual(0.034);
    }
    expect(playlist).toContain('#EXT-X-ENDLIST');
  }
  const { sourceSegmentsDuration, transcodedSegmentsDuration } = await stream.counters();
  expect(Math.abs(transcodedSegmentsDuration - 2 * sourceSegmentsDuration)).toBeLessThanOrEqual(2 * 0.034);
});

test.concurrent('the source plays before any rendition has a segment, and a rendition is offered from its first segment on', async () => {
  const stream = await createLadderStream(late, 'Late ladder');
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  await stream.watch(({ log }) => log.some(({ event }) => event.code === 'ladder' && event.event.code === 'started'));
  const { stream: live, renditions } = await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 3);
  expect(live.transcodedSegments).toBe(0);
  expect(renditions.map(({ name }) => name)).toEqual([undefined, undefined]);
  expect(await stream.offered()).toEqual(['source/index.m3u8']);
  expect(readPlaylist(await stream.playlist('source')).segments.length).toBeGreaterThanOrEqual(3);
  await writeFile(mayEncode, '');
  await stream.complete();
  expect(await stream.offered()).toEqual(['source/index.m3u8', '180p/index.m3u8', '144p/index.m3u8']);
  await publisher.quit();
  await stream.over();
  const { sourceSegments, transcodedSegments } = await stream.counters();
  expect(transcodedSegments).toBe(2 * sourceSegments);
});

test.concurrent('after a publisher reconnects, and another takes over, each rendition has every segment of the source', async () => {
  const stream = await createStream('Return');
  const reach = (segments: number) => stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= segments);
  const first = startFfmpegPublisher(stream.publishUrl);
  await stream.complete();
  await first.kill();
  const { session } = await stream.watch(({ stream: { air } }) => air.kind === 'reconnecting');
  const lostAt = session?.sourceSegments ?? 0;
  await using second = startFfmpegPublisher(stream.publishUrl);
  await reach(lostAt + 2);
  await using third = startFfmpegPublisher(stream.publishUrl);
  await second.ended;
  const taken = await stream.watch(({ log }) => log.some(({ event }) => event.code === 'took-over'));
  await reach((taken.session?.sourceSegments ?? 0) + 2);
  await third.quit();
  await stream.over();
  const [source = [], ...renditions] = (await Promise.all(['source', '180p', '144p'].map(stream.playlist))).map(
    (text) => readPlaylist(text).segments,
  );
  expect(source.filter(({ discontinuity }) => discontinuity)).toHaveLength(2);
  const places = (segments: typeof source) =>
    segments.map(({ msn, gap, discontinuitySequence }) => ({ msn, gap, discontinuitySequence }));
  for (const segments of renditions) expect(places(segments)).toEqual(places(source));
  const { sourceSegments, transcodedSegments } = await stream.counters();
  expect(sourceSegments).toBe(source.length);
  expect(transcodedSegments).toBe(2 * sourceSegments);
});

test.concurrent('a crashed ffmpeg is replaced, what it missed is a gap, and the segment numbers still match the source', async () => {
  const stream = await createStream('Crash');
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  await stream.complete();
  await stream.crashLadder();
  const crashed = await stream.watch((live) => ladderFailures(live).length === 1);
  const sourceSegments = crashed.session?.sourceSegments ?? 0;
  await stream.watch(
    ({ session, renditions }) =>
      (session?.sourceSegments ?? 0) >= sourceSegments + 4 && renditions.every(({ state }) => state === 'running'),
  );
  await publisher.quit();
  await stream.over();
  const source = readPlaylist(await stream.playlist('source')).segments;
  const rendition = readPlaylist(await stream.playlist('180p')).segments;
  expect(rendition.map(({ msn }) => msn)).toEqual(source.map(({ msn }) => msn));
  expect(rendition.map(({ discontinuitySequence }) => discontinuitySequence)).toEqual(
    source.map(({ discontinuitySequence }) => discontinuitySequence),
  );
  expect(new Set(rendition.map(({ init }) => init)).size).toBe(1);
  const gaps = rendition.filter(({ gap }) => gap).length;
  expect(gaps).toBeGreaterThan(0);
  // It may have put out a segment's keyframe for one rendition only.
  const otherGaps = readPlaylist(await stream.playlist('144p')).segments.filter(({ gap }) => gap).length;
  const { sourceSegments: total, transcodedSegments } = await stream.counters();
  expect(transcodedSegments).toBe(total - gaps + total - otherGaps);
});

test.concurrent('renditions that fail five times in a minute rest with a reason, and the source keeps playing', async () => {
  const stream = await createStream('Resting');
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  for (let failure = 1; failure <= 5; failure += 1) {
    await stream.watch(({ renditions }) => renditions.length === 2 && renditions.every(({ state }) => state === 'running'));
    await stream.crashLadder();
    await stream.watch((live) => ladderFailures(live).length === failure);
  }
  const resting = await stream.watch(({ renditions }) => renditions.every(({ state }) => state === 'resting'));
  expect(ladderFailures(resting).find(({ code }) => code === 'rested')).toMatchObject({
    severity: 'bad',
    count: 5,
    last: { code: 'killed', signal: 'SIGKILL' },
    waitMs: 60_000,
  });
  expect(resting.stages.find(({ stage: name }) => name === 'transcode')).toEqual({
    stage: 'transcode',
    code: 'some-left-out',
    severity: 'bad',
    missing: 2,
    of: 2,
  });
  // What a busy computer sends with pauses has a nearer one.
  if (!resting.verdict?.code.startsWith('arrives-'))
    expect(resting.verdict).toEqual({ code: 'no-renditions', severity: 'warn', isResting: true });
  const before = resting.session?.sourceSegments ?? 0;
  const later = await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= before + 2);
  expect(later.stream.air.kind).toBe('on-air');
  expect(await stream.offered()).toEqual(['source/index.m3u8']);
  await publisher.quit();
});

test.concurrent('ffprobe decodes a rendition from start to end without an error', async () => {
  const stream = await createStream('Decode');
  await using publisher = startFfmpegPublisher(stream.publishUrl, { seconds: 6, rate: 30 });
  await publisher.ended;
  await stream.over();
  const { stdout, stderr } = await run('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-show_entries',
    'stream=codec_name,nb_read_frames',
    '-of',
    'csv=p=0',
    stream.mediaUrl('144p'),
  ]);
  expect(stderr).toBe('');
  // Once for the program, once for the stream.
  expect([...new Set(stdout.split('\n').filter((line) => line !== ''))].sort()).toEqual([
    expect.stringMatching(/^aac,28\d$/),
    'h264,180',
  ]);
});

test.concurrent('a rendition can be removed and added back while on air, without affecting the others', async ({ expect }) => {
  const stream = await createStream('Fewer');
  const choose = (...names: string[]) => stage.app.broadcast.setRenditions({ streamId: stream.id, names });
  const read = async (rendition: string) => readPlaylist(await stream.playlist(rendition));
  await expect(choose('144p')).rejects.toMatchObject({ code: 'OFF_AIR' });
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  await stream.complete();
  await expect(choose('4320p')).rejects.toMatchObject({ code: 'INVALID_INPUT' });

  await choose('144p');
  const fewer = await stream.watch(({ renditions }) => renditions[0]?.name === undefined);
  expect(fewer.renditions[0]?.state).toBe('left-out');
  expect(fewer.renditions[1]).toMatchObject({ name: '144p' });
  expect(fewer.log.map(({ event }) => event)).toContainEqual({
    code: 'ladder',
    event: { code: 'left-out', severity: 'good', names: ['180p'] },
  });
  expect(fewer.stages.find(({ stage: name }) => name === 'transcode')?.severity).toBe('good');
  expect(await stream.offered()).toEqual(['source/index.m3u8', '144p/index.m3u8']);
  await expect.poll(async () => (await read('180p')).segments.at(-1)?.gap, { timeout: 60_000 }).toBe(true);
  const next = (await read('180p')).mediaSequence + (await read('180p')).segments.length;
  // A playlist without anything new would be refused with 503 after three target durations (rfc8216bis §6.2.5.2).
  const answer = await fetch(`${stream.mediaUrl('180p')}?_HLS_msn=${next}`);
  expect(answer.status).toBe(200);
  const reload = readPlaylist(await answer.text());
  expect(reload.segments.at(-1)?.msn).toBeGreaterThanOrEqual(next);
  expect(reload.ended).toBe(false);

  await choose('180p', '144p');
  const whole = await stream.complete();
  expect(whole.renditions.map(({ state }) => state)).toEqual(['running', 'running']);
  await publisher.quit();
  await stream.over();
  const [source, high, low] = await Promise.all(['source', '180p', '144p'].map(read));
  for (const playlist of [high, low]) {
    expect(playlist?.segments.map(({ msn }) => msn)).toEqual(source?.segments.map(({ msn }) => msn));
    expect(playlist?.ended).toBe(true);
  }
  expect(source?.segments.filter(({ gap }) => gap)).toEqual([]);
  expect(low?.segments.filter(({ gap }) => gap)).toEqual([]);
  const missed = high?.segments.filter(({ gap }) => gap).map(({ msn }) => msn) ?? [];
  expect(missed.length).toBeGreaterThan(0);
  expect(missed).toEqual(missed.map((_, index) => (missed[0] ?? 0) + index));
  expect(high?.segments.at(-1)?.gap).toBe(false);
});
