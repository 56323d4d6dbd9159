import { randomUUID } from 'node:crypto';
import fs, { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { ServiceError } from '../../shared/errors.ts';
import { makeFolder } from '../lib/make-folder.ts';
import type { SecretStore } from '../ports.ts';

/** 256 bits, as `openssl rand -base64 32` or `openssl rand -hex 32` writes them. */
const keyShapes = { base64: /^[A-Za-z0-9+/]{43}=$/, hex: /^[\da-f]{64}$/i } as const;
/** A key file is a line; what is longer is another file. */
const maxBytes = 1024;

interface FileSecretOptions {
  /** Where systemd puts a service's credentials (systemd.exec(5), `LoadCredential=`): it guards the files in there itself. */
  credentialsFolder?: string | undefined;
  platform?: NodeJS.Platform;
  /** The user id this process runs as; undefined where there are none. */
  userId?: number | undefined;
}

/**
 * A {@link SecretStore} that is one file with one key in it, for computers without a keychain. It is made when it is first written,
 * readable by the user alone, and never overwritten.
 *
 * Whoever can read the file can open what it seals: one that others can read, write or replace is refused. On Windows nothing of
 * that is checked: access is a matter of lists that the mode does not show, and a file gets those of its folder. Keep it in the user's
 * profile there.
 *
 * @throws {ServiceError} from each call: UNAVAILABLE, saying what is wrong with the file and what to do.
 */
export function openFileSecretStore(
  path: string,
  {
    credentialsFolder = process.env.CREDENTIALS_DIRECTORY,
    platform = process.platform,
    userId = process.getuid?.(),
  }: FileSecretOptions = {},
): SecretStore {
  const checks = platform === 'win32' ? undefined : { credentialsFolder, userId };
  return {
    kind: 'file',
    whenLost: `Put the key file back in its place and start again. If it is gone for good, start once with --secrets memory: all streams get new stream keys.`,
    async find() {
      let file: FileHandle;
      try {
        file = await open(path, 'r');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw refuse(path, `cannot be read (${codeOf(error)})`, error);
      }
      await using _ = file;
      if (checks) await refuseLoose(path, file, checks);
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(maxBytes), position: 0 });
      return parseKeyText(buffer.toString('latin1', 0, bytesRead).trim(), path);
    },
    async set(_name, value) {
      try {
        makeFolder(dirname(resolve(path)));
        await makeWhole(path, `${value}\n`);
      } catch (error) {
        throw refuse(path, `cannot be made (${codeOf(error)}); make it with: openssl rand -base64 32`, error);
      }
    },
  };
}

/** Makes a file that is on disk as a whole or not at all, and never in another one's place. */
async function makeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(text);
    await file.sync();
    await fs.link(temporary, path).catch((error) => renameWhereFree(temporary, path, error));
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** For file systems without links (FAT, some shares): between the look and the renaming another program may be quicker. */
async function renameWhereFree(from: string, to: string, linkError: unknown): Promise<void> {
  if (codeOf(linkError) === 'EEXIST') throw linkError;
  const isTaken = await fs.lstat(to).then(
    () => true,
    () => false,
  );
  if (isTaken) throw Object.assign(new Error(`${to} is there`), { code: 'EEXIST' });
  await fs.rename(from, to);
}

/** What is checked is what was opened, so that nobody can put another file in its place in between. */
async function refuseLoose(
  path: string,
  file: FileHandle,
  { credentialsFolder, userId }: Pick<FileSecretOptions, 'credentialsFolder' | 'userId'>,
): Promise<void> {
  const found = await file.stat();
  if (!found.isFile()) throw refuse(path, 'is not a file');
  const real = await realpath(path);
  // There a file is the service's own, or root's with a right for the service that shows as one of the group.
  const isCredential = credentialsFolder !== undefined && real.startsWith((await realpath(credentialsFolder)) + sep);
  const forbidden = isCredential ? 0o037 : 0o077;
  if ((found.mode & forbidden) !== 0) {
    throw refuse(path, `can be read or written by other users (mode ${formatMode(found.mode)}); run: chmod 600 '${path}'`);
  }
  if (found.uid !== 0 && found.uid !== userId) throw refuse(path, 'belongs to another user');
  if (isCredential) return;
  // Who may write a folder may put another file in this one's place; the sticky bit keeps others' files from that (as in /tmp).
  for (const folder of new Set([dirname(resolve(path)), dirname(real)])) {
    const { mode } = await stat(folder);
    if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0) {
      throw refuse(path, `is in a folder that other users can write, ${folder}; run: chmod go-w '${folder}'`);
    }
  }
}

function parseKeyText(text: string, path: string): string {
  if (keyShapes.base64.test(text)) return text;
  if (keyShapes.hex.test(text)) return Buffer.from(text, 'hex').toString('base64');
  throw refuse(path, 'holds no key of 256 bits; make one with: openssl rand -base64 32');
}

function refuse(path: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', `The key file ${path} ${what}.`, { cause });
}

function formatMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
