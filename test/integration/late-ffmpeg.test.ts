import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signalProcess } from '../../src/tools/processes.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { findMeters, theOnly } from '../support/find-processes.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { createLadderStream, ladderFailures } from '../support/ladder-stream.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { soon } from '../support/soon.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

test('an ffmpeg that is installed while Tallylight runs is found, and used, for an encoder that is connected already as well', async () => {
  const { path: ffmpegOfEncoder } = await getFfmpeg();
  const path = await makeOddFfmpeg('');
  await rename(path, `${path}.later`);
  vi.stubEnv('TALLYLIGHT_FFMPEG', path);
  onTestFinished(() => void vi.unstubAllEnvs());
  await using stage = await startTestService({ awaitEncoders: false });
  const missing = { kind: 'missing', reason: { code: 'unusable', path } };
  const watchInfo = () => stage.app.service.watch();
  expect(
    (await waitUntil(await watchInfo(), ({ ffmpeg }) => ffmpeg.kind === 'missing' && ffmpeg.reason.code !== 'searching'))
      .ffmpeg,
  ).toEqual(missing);
  const stream = await createLadderStream(stage, 'Early encoder');
  await using _publisher = startFfmpegPublisher(stream.publishUrl, { ffmpeg: ffmpegOfEncoder });
  const { renditions } = await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
  expect(renditions.map(({ state }) => state)).toEqual(['given-up', 'given-up']);
  expect(await stream.offered()).toEqual(['source/index.m3u8']);
  await rename(`${path}.later`, path);
  const { ffmpeg, encoders } = await waitUntil(await watchInfo(), (info) => info.encoders !== undefined);
  expect([ffmpeg, encoders?.used]).toMatchObject([{ kind: 'found', path }, 'libx264']);
  await stream.complete();
  expect(await stream.offered()).toEqual(['source/index.m3u8', '180p/index.m3u8', '144p/index.m3u8']);
  await waitUntil(await stage.app.stream.watchAudio({ streamId: stream.id }), ({ meter }) => meter?.kind === 'measured');
});

test('an ffmpeg that moves while Tallylight runs is found again, named, and used by what is on air as well', async () => {
  const { path: ffmpegOfEncoder } = await getFfmpeg();
  const mark = join(await mkdtemp(join(tmpdir(), 'tallylight-moved-ffmpeg-')), 'meters');
  const [path, elsewhere] = await Promise.all([
    makeOddFfmpeg(''),
    makeOddFfmpeg(`case "$*" in *ebur128*) : > '${mark}' ;; esac`),
  ]);
  vi.stubEnv('TALLYLIGHT_FFMPEG', path);
  onTestFinished(() => void vi.unstubAllEnvs());
  await using stage = await startTestService();
  const stream = await createLadderStream(stage, 'Long show');
  await using _publisher = startFfmpegPublisher(stream.publishUrl, { ffmpeg: ffmpegOfEncoder });
  await stream.complete();
  await waitUntil(await stage.app.stream.watchAudio({ streamId: stream.id }), ({ meter }) => meter?.kind === 'measured');
  const first = await waitUntil(await stage.app.service.watch(), ({ encoders }) => encoders !== undefined);
  expect(first.ffmpeg).toMatchObject({ kind: 'found', path });
  vi.stubEnv('TALLYLIGHT_FFMPEG', elsewhere);
  await rm(path);
  const moved = await waitUntil(
    await stage.app.service.watch(),
    ({ ffmpeg, encoders }) => ffmpeg.kind === 'found' && ffmpeg.path !== path && encoders !== undefined,
  );
  expect([moved.ffmpeg, moved.encoders?.used]).toEqual([{ ...first.ffmpeg, path: elsewhere }, first.encoders?.used]);
  await stream.crashLadder();
  await stream.watch((live) => ladderFailures(live).length === 1);
  await stream.watch((live) => live.renditions.every(({ state }) => state === 'running'));
  signalProcess(theOnly(await findMeters(process.pid)), 'SIGKILL');
  await soon(() => expect(existsSync(mark)).toBe(true));
});
