import { rename } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

test('an ffmpeg that is installed while Tallylight runs is found, and used', async () => {
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
  await rename(`${path}.later`, path);
  const { ffmpeg, encoders } = await waitUntil(await watchInfo(), (info) => info.encoders !== undefined);
  expect([ffmpeg, encoders?.used]).toMatchObject([{ kind: 'found', path }, 'libx264']);
});
