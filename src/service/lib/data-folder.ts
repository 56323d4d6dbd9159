import { chmodSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../shared/errors.ts';
import { makeFolder } from './make-folder.ts';

/** The store's file in the data folder. */
export const databaseFileName = 'tallylight.db';

/**
 * The data folder of this platform's custom: `$XDG_DATA_HOME/tallylight` or `~/.local/share/tallylight` on Linux
 * (XDG Base Directory Specification), `~/Library/Application Support/Tallylight` on macOS, `%APPDATA%\Tallylight` on Windows.
 */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): string {
  switch (platform) {
    case 'win32':
      return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Tallylight');
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Tallylight');
    default:
      // A relative XDG_DATA_HOME must be ignored (XDG Base Directory Specification, "Basics").
      return join(env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : join(home, '.local', 'share'), 'tallylight');
  }
}

/**
 * Makes the data folder when it is missing, readable by the user alone (mode 0700).
 *
 * A folder that was there before is closed to others when it is empty or already ours; one that holds other things
 * is left as it is, since somebody else may need it open: the files in it are made with mode 0600 all the same.
 *
 * @throws {ServiceError} UNAVAILABLE when it cannot be made or is no folder
 */
export function openDataFolder(path: string): string {
  const folder = resolve(path);
  try {
    makeFolder(folder);
    const entries = readdirSync(folder);
    if (entries.length === 0 || entries.includes(databaseFileName)) chmodSync(folder, 0o700);
  } catch (error) {
    throw new ServiceError('UNAVAILABLE', `The data folder ${folder} cannot be used: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  return folder;
}
