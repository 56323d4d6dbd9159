import { link, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPicture } from '../../src/service/capture/parts.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { noCaptures } from '../support/no-captures.ts';

const format = { width: 32, height: 18, fps: 10 };

async function openStill(path: string) {
  const deviceFfmpegs = { paths: new Map(), installCommand: undefined };
  const { path: ffmpegPath } = await getFfmpeg();
  const tools = { ...noCaptures, ffmpegPath, deviceFfmpegs, clockFontPath: undefined };
  const still = openPicture({ kind: 'still', path }, format, tools);
  onTestFinished(() => still.close());
  await still.settled;
  return still;
}

test('a still image that is not there is named until it is, and then shown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'still-'));
  const [made, path] = [join(folder, 'made.png'), join(folder, 'logo.png')];
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=white:size=64x36', '-frames:v', '1', made]);
  const still = await openStill(path);
  const told: string[] = [];
  let shown = 0;
  for await (const _ of setInterval(50)) {
    const picture = still.take();
    const text = `${picture?.bytes[0] ?? 'none'}, ${still.fault?.code ?? 'fine'}`;
    picture?.release();
    if (told.at(-1) !== text) told.push(text);
    if (told.length > 1) break;
    shown += 1;
    // It is tried again some times before.
    if (shown === 50) await link(made, path);
  }
  expect(told).toEqual(['none, file-gone', '235, fine']);
});

test.each(['50%done.png', join('100%done', 'logo.png')])(
  'an image whose path ffmpeg could take for a pattern is shown: %j',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'still-'));
    const [made, path] = [join(folder, 'made.png'), join(folder, name)];
    await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=white:size=64x36', '-frames:v', '1', made]);
    await mkdir(dirname(path), { recursive: true });
    await link(made, path);
    expect((await openStill(path)).fault).toBeUndefined();
  },
);
