import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPicture } from '../../src/service/capture/parts.ts';
import { findResource } from '../../src/service/lib/find-resource.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { noCaptures } from '../support/no-captures.ts';

const format = { width: 320, height: 180, fps: 10 };

test.each(['a, [b]; c', "it's a=b, %d"])(
  'the test picture comes with a clock whose font is in a folder like %j',
  async (name) => {
    const folder = join(await mkdtemp(join(tmpdir(), 'font-')), name);
    const clockFontPath = join(folder, 'Mono.ttf');
    await mkdir(folder);
    await copyFile(findResource('fonts/DejaVuSansMono-Bold.ttf') ?? '', clockFontPath);
    const deviceFfmpegs = { paths: new Map(), installCommand: undefined };
    const tools = { ...noCaptures, ffmpegPath: (await getFfmpeg()).path, deviceFfmpegs, clockFontPath };
    const picture = openPicture({ kind: 'test-picture' }, format, tools);
    onTestFinished(() => picture.close());
    await picture.settled;
    const taken = picture.take();
    expect(taken?.bytes).toHaveLength(format.width * format.height * 1.5);
    taken?.release();
    expect(picture.fault).toBeUndefined();
  },
);
