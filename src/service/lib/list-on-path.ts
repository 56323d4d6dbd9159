import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The files of a program in the folders on PATH, in order. Relative folders are skipped: the working folder must not decide what runs. */
export function listOnPath(program: string, env: Record<string, string | undefined> = process.env): string[] {
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}
