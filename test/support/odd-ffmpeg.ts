import { chmod, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { getFfmpeg } from './get-ffmpeg.ts';

/** The words of a shell that make x264 stand in for hardware in a trial. */
export const asHardware = [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-frames:v', '10'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '999', '-force_key_frames', "'expr:eq(n,5)'", '-f', 'flv', 'pipe:1'],
];

/** The path of a wrapped ffmpeg: a shell runs `first` before it. It is removed with the run's folder. */
export async function makeOddFfmpeg(first: string): Promise<string> {
  const ffmpeg = await getFfmpeg();
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-odd-ffmpeg-'));
  const path = join(folder, 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${first}\nexec '${ffmpeg.path}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/**
 * The path of an ffmpeg like static builds for Linux, one of which npm's ffmpeg-static installs: it has no input devices for PulseAudio (no
 * static build has) and X11 (some lack it), doesn't list them, and fails to open one. It needs no other program on PATH.
 */
export async function makeStaticFfmpeg(): Promise<string> {
  const { path } = await getFfmpeg();
  return makeOddFfmpeg(`case " $* " in
*" -devices "*) '${path}' "$@" | while IFS= read -r line; do case $line in *x11grab*|*pulse*) ;; *) echo "$line" ;; esac; done; exit ;;
*" -f x11grab "*) echo "Unknown input format: 'x11grab'" >&2; exit 1 ;;
*" -f pulse "*) echo "Unknown input format: 'pulse'" >&2; exit 1 ;;
esac`);
}

/** A folder for PATH with every program that is on it, but no ffmpeg. It is removed with the run's folder. */
export async function makePathWithoutFfmpeg(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-path-'));
  const seen = new Set(['ffmpeg']);
  for (const from of (process.env.PATH ?? '').split(delimiter)) {
    const programs = (await readdir(from).catch(() => [])).filter((name) => !seen.has(name));
    for (const name of programs) seen.add(name);
    await Promise.all(programs.map((name) => symlink(join(from, name), join(folder, name))));
  }
  return folder;
}
