import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FilePlayer } from '../../src/service/capture/file-player.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';

const format = { width: 32, height: 18, fps: 10 };

test.each([
  ['the usual ffmpeg', async () => (await getFfmpeg()).path],
  ['ffmpeg 9', async () => getNewerFfmpeg()],
])('a file without a picture, and one without sound, are told apart from one that fails: %s', async (_name, find) => {
  const folder = await mkdtemp(join(tmpdir(), 'tracks-'));
  const [heard, seen] = [join(folder, 'heard.wav'), join(folder, 'seen.mkv')];
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', heard]);
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=white:size=64x36', '-t', '1', '-c:v', 'mpeg4', seen]);
  const ffmpegPath = await find();
  const open = async (path: string) => {
    const player = new FilePlayer({ ffmpegPath, paths: [path], loops: false, format });
    onTestFinished(() => player.close());
    await player.settled;
    return player;
  };
  expect((await open(heard)).fault).toEqual({ code: 'no-video' });
  expect((await open(seen)).soundFault).toEqual({ code: 'no-sound' });
});
