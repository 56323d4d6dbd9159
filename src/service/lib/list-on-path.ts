import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The files of a program in the folders on PATH, in order. Relative folders are skipped: the working folder must not decide what runs. */
export function listOnPath(program: string, env: Record<string, string | undefined> = process.env): string[] {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return listInFolders(program, folders);
}

/** The files of a program in these folders, in order. */
export function listInFolders(program: string, folders: readonly string[]): string[] {
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}
