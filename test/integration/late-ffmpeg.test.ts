import { rename } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { createLadderStream } from '../support/ladder-stream.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
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
