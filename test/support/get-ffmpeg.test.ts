import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { getFfmpeg } from './get-ffmpeg.ts';

test.skipIf(process.platform === 'win32')(
  'an ffmpeg that was not found is looked for again, and the one of another moment can be asked for',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'get-ffmpeg-'));
    const path = join(folder, 'ffmpeg');
    vi.stubEnv('TALLYLIGHT_FFMPEG', path);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    });
    await expect(getFfmpeg()).rejects.toThrow(path);
    await writeFile(path, '#!/bin/sh\necho ffmpeg version 7.1\n', { mode: 0o755 });
    expect(await getFfmpeg()).toEqual({ path, version: '7.1' });
    vi.stubEnv('TALLYLIGHT_FFMPEG', '/nowhere/ffmpeg');
    expect(await getFfmpeg({ asked: path })).toEqual({ path, version: '7.1' });
  },
);
