import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeLogEvent } from '../../src/shared/words/log-words.ts';
import { fetchRendition } from '../support/fetch-rendition.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createStream } from '../support/host-contract.ts';
import { loopedFile } from '../support/looped-file.ts';
import { isSilence } from '../support/pack.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);
/** Cheap: no frame may be missing on a busy computer. */
const encode = { kind: 'by-hand', settings: { ...encodePresets['720p30'], fps: 15 } } as const;
const pictureSeconds = 4;
const soundSeconds = 12;

let stage: Awaited<ReturnType<typeof startTestService>>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-tracks-'));
  stage = await startTestService();
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

test.concurrent('a file whose video ends eight seconds before its audio is reported, and the audio continues without a gap', async () => {
  const path = join(folder, 'uneven.mp4');
  await run('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=30:duration=${pictureSeconds}`],
    ...['-f', 'lavfi', '-i', `sine=duration=${soundSeconds}:sample_rate=48000`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path],
  ]);
  const { id, playbackId } = await stage.app.stream.create({ name: 'Uneven' });
  const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await stage.app.stream.watch({ streamId: id }), is);
  await stage.app.broadcast.goLive({ streamId: id, source: loopedFile(path), encode });

  // On a busy computer its picture may have been too slow before.
  const hasEnded = ({ verdict }: StreamLive) => verdict?.code === 'source-away' && verdict.away.fault.code === 'track-ended';
  const told = await watch(hasEnded);
  expect(told.verdict).toEqual({
    code: 'source-away',
    severity: 'warn',
    away: { part: 'picture', kind: 'files', name: path, fault: { code: 'track-ended' } },
  });
  // Viewers get it in real time, not when the file loops.
  const madeSeconds = told.session?.sourceSegmentsDuration ?? Number.NaN;
  await watch((live) => hasEnded(live) && (live.session?.sourceSegmentsDuration ?? 0) > madeSeconds + 3);
  // What a busy computer sends with pauses has another verdict for a minute.
  const again = await watch(
    ({ verdict, session }) => /^(good|arrives-.*)$/.test(verdict?.code ?? '') && (session?.sourceSegmentsDuration ?? 0) > 14,
  );
  const away = { part: 'picture', kind: 'files', name: path, fault: expect.any(Object) };
  expect(again.log.map(({ event }) => event)).toContainEqual({
    code: 'trouble-began',
    verdict: { code: 'source-away', severity: 'warn', away },
  });
  expect(again.log.filter(({ event }) => describeLogEvent(event, 0).includes('encoder'))).toEqual([]);

  const { playlist, runs } = await fetchRendition(`${stage.urls.playbackBaseUrl}/${playbackId}/source/index.m3u8`);
  await stage.app.broadcast.stop({ streamId: id });
  expect(runs).toHaveLength(1);
  expect(playlist.segments.filter(({ gap }) => gap)).toEqual([]);
  const [sound, pictures] = [
    runs.flatMap(({ segments }) => segments.flatMap(({ audio }) => audio)),
    runs.flatMap(({ segments }) => segments.flatMap(({ video }) => video)),
  ];
  const [first] = sound;
  expect(sound.map(({ dts }) => dts)).toEqual(sound.map((_, index) => (first?.dts ?? 0) + index * 1024));
  // On a busy computer the broadcast begins before its file does.
  const begun = sound.slice(sound.findIndex(({ data }) => !isSilence(data)));
  // A frame may be missing where the file loops.
  const playedSeconds = begun.filter(({ data }) => isSilence(data)).map(({ dts }) => (dts - (begun[0]?.dts ?? 0)) / 48_000);
  expect(playedSeconds.filter((at) => Math.abs(at - soundSeconds) > 0.2)).toEqual([]);
  expect(playedSeconds.length).toBeLessThan(4);
  // Pictures stay in order: none goes back in time, and the held one repeats at the frame rate, though a busy computer misses some.
  const stepsMs = pictures.slice(1).map(({ dts }, index) => (dts - (pictures[index]?.dts ?? 0)) / 90);
  expect(stepsMs.filter((ms) => ms < 10)).toEqual([]);
  expect(stepsMs.filter((ms) => ms > 100).length).toBeLessThan(8);
});

test.concurrent('a warning raised while no page was open is listed in What happened', async ({ expect }) => {
  await using service = await startTestService();
  const { app, urls } = service;
  const { id: streamId, streamKey } = await createStream(app, { name: 'Without sound' });
  await using _publisher = startFfmpegPublisher(`${urls.ingestBaseUrl}/${streamKey}`, { args: ['-an'] });
  await expect
    .poll(async () => (await app.session.list({ streamId }))[0]?.sourceSegmentsDuration ?? 0, { timeout: 60_000 })
    // The verdict comes after six seconds, or later on a busy computer.
    .toBeGreaterThan(12);
  const { log } = await waitUntil(await app.stream.watch({ streamId }), () => true);
  expect(log.map(({ event }) => event)).toContainEqual({
    code: 'trouble-began',
    verdict: { code: 'never-sound', severity: 'warn' },
  });
});
