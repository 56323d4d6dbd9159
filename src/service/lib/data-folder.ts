import { chmodSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServiceError } from '../../shared/errors.ts';
import { makeFolder } from './make-folder.ts';
import { codeOf, sentenceOf } from './read-error.ts';
import { startError } from './start-error.ts';

/** The store's file in the data folder. */
export const databaseFileName = 'tallylight.db';

/**
 * The platform's usual data folder: `$XDG_DATA_HOME/tallylight` or `~/.local/share/tallylight` on Linux
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
      // Relative paths must be ignored (XDG Base Directory Specification, "Basics").
      return join(env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : join(home, '.local', 'share'), 'tallylight');
  }
}

/**
 * Parses the path of a data folder, which starts at the working folder if it is relative. Undefined for a likely mistake: an empty
 * shell variable, the next option, or an unexpanded `~`, as after `--data-dir=` or in a systemd unit.
 */
export function parseDataFolderPath(text: string): string | undefined {
  return text.trim() === '' || /^[~-]/.test(text) ? undefined : resolve(text);
}

/** The texts that {@link parseDataFolderPath} accepts, for the error. */
export const dataFolderPaths =
  'It must be the path of a folder, as in /var/lib/tallylight. Shells expand ~ only at the start of a word.';

/**
 * Creates the data folder if it is missing, readable only by the user (mode 0700).
 *
 * An existing folder is restricted to the user if it is empty. A folder with content keeps its mode, since others may need access, and
 * so does one that belongs to another user, such as a mounted volume: only its owner may change that. Our files in it have mode 0600
 * anyway.
 *
 * @throws {ServiceError} UNAVAILABLE when it cannot be created or is not a folder
 */
export function openDataFolder(path: string): string {
  const folder = resolve(path);
  try {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) restrictOwn(folder);
  } catch (error) {
    throw dataFolderError(folder, error);
  }
  return folder;
}

/** Makes a folder readable only by the user, if it is the user's. @throws the file system's own error */
function restrictOwn(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    // chmod(2): the folder is another user's.
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

/** The error for a data folder that the file system refuses. */
export function dataFolderError(folder: string, cause: unknown): ServiceError {
  return startError({ code: 'folder-unusable', path: folder, text: sentenceOf(cause) }, cause);
}
