import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { findFfmpegs, theOnly } from '../support/find-processes.ts';
import { startTestService } from '../support/test-service.ts';
import { holdOpen, waitUntil } from '../support/wait-until.ts';

let stage: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  stage = await startTestService();
});
afterAll(() => stage.close());

/** The ffmpegs that make a preview's JPEGs. */
const findJpegMakers = async () => (await findFfmpegs(process.pid)).filter(({ words }) => words.includes('image2pipe'));

test('a preview whose ffmpeg dies moves again, and ends with its last reader', async () => {
  const previews = await stage.app.source.watchPreview({ source: testSource });
  const shown = holdOpen(previews);
  await waitUntil(shown, ({ jpeg }) => jpeg !== undefined);
  const killed = theOnly(await findJpegMakers());
  expect(signalProcess(killed, 'SIGKILL')).toBe(true);
  const findOthers = async () => (await findJpegMakers()).filter(({ pid }) => pid !== killed.pid);
  await expect.poll(findOthers).toHaveLength(1);
  const { jpeg } = await waitUntil(shown, () => true);
  await waitUntil(shown, (next) => next.jpeg !== jpeg);
  await previews.return();
  await expect.poll(findJpegMakers).toEqual([]);
});
