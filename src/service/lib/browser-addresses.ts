import { hash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../shared/errors.ts';
import type { Logger } from '../ports.ts';
import { dataFolderError } from './data-folder.ts';
import { isDataFolderLocked } from './data-folder-lock.ts';
import { codeOf } from './read-error.ts';

/** The folder in the data folder through which a running host and the command line exchange files. */
const folderName = 'browser-addresses';
/** Holds the origin of the screens, like `http://127.0.0.1:4600`. */
const originName = 'origin';

/** 256 bits can't be guessed. */
const tokenBytes = 32;

/** The one-time tokens that the command line issues for a running host. */
export interface BrowserAddresses {
  /** Lets the command line issue addresses below `origin`, as long as this host runs. */
  open(origin: string): Promise<void>;
  /** Uses up a token; false for any other text, and for a token that was already used. */
  take(token: string): Promise<boolean>;
}

/**
 * The host's side of {@link issueBrowserAddress}.
 *
 * Each token is an empty file named by its hash: reading the folder opens nothing, and of two browsers with the same token only one
 * removes the file. Only the user who runs the host, and root, can write the folder and so issue tokens; on a shared volume, anybody
 * who can write the data folder can, too, by replacing it. Errors are logged; then only the address that the host prints works.
 */
export function openBrowserAddresses(dataFolder: string, log: Pick<Logger, 'warn'>): BrowserAddresses {
  const folder = join(dataFolder, folderName);
  let isOpen = false;
  /** Files that are being removed. On Windows, two removals of one file at the same time can both succeed. */
  const leaving = new Set<string>();
  return {
    async open(origin) {
      try {
        await mkdir(folder, { mode: 0o700 });
        await writeFile(join(folder, originName), origin, { mode: 0o600, flag: 'wx' });
        isOpen = true;
      } catch (error) {
        log.warn({ err: error }, 'The command line cannot issue addresses of the screens');
      }
    },
    async take(token) {
      if (!isOpen) return false;
      const name = hash('sha256', token);
      if (leaving.has(name)) return false;
      leaving.add(name);
      return unlink(join(folder, name))
        .then(
          () => true,
          () => false,
        )
        .finally(() => leaving.delete(name));
    },
  };
}

/** Deletes the files of an earlier run. Call it with the data folder locked. A folder that can't be removed is never opened. */
export async function forgetBrowserAddresses(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, folderName), { recursive: true, force: true }).catch(() => {});
}

/**
 * Issues an address that opens the screens of the running headless host in one browser. The address that the host printed stays valid.
 *
 * @throws {ServiceError} NOT_FOUND when no headless host runs on this data folder; UNAVAILABLE when its folder can't be written
 */
export async function issueBrowserAddress(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, folderName);
  try {
    const origin = await readFile(join(folder, originName), 'utf8');
    // A host leaves its origin behind.
    if (!isDataFolderLocked(dataFolder)) throw notRunning(dataFolder);
    const token = randomBytes(tokenBytes).toString('base64url');
    await writeFile(join(folder, hash('sha256', token)), '', { mode: 0o600, flag: 'wx' });
    return `${origin}/?token=${token}`;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (codeOf(error) === 'ENOENT') throw notRunning(dataFolder, error);
    throw dataFolderError(dataFolder, error);
  }
}

function notRunning(dataFolder: string, cause?: unknown): ServiceError {
  const sentence = `No Tallylight with its screens in a browser is running with the data folder ${dataFolder}. Start one, or use another --data-dir.`;
  return new ServiceError('NOT_FOUND', sentence, { cause });
}
