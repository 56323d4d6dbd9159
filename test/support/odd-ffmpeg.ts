import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getFfmpeg } from './get-ffmpeg.ts';

/** The path of a wrapped ffmpeg: a shell runs `first` before it. It is removed with the run's folder. */
export async function makeOddFfmpeg(first: string): Promise<string> {
  const ffmpeg = await getFfmpeg();
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-odd-ffmpeg-'));
  const path = join(folder, 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${first}\nexec '${ffmpeg.path}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
