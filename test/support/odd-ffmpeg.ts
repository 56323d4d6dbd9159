import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findFfmpeg } from '../../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../../src/shared/words/ffmpeg-words.ts';

/** The path of a wrapped ffmpeg: a shell runs `first` before it. It is removed when the test is over. */
export async function makeOddFfmpeg(first: string): Promise<string> {
  const found = await findFfmpeg();
  if (found.kind === 'missing') throw new Error(describeMissingFfmpeg(found.reason));
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-odd-ffmpeg-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${first}\nexec '${found.path}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
