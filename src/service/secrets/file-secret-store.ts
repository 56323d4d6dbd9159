import { randomUUID } from 'node:crypto';
import fs, { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';
import { codeOf } from '../lib/read-error.ts';
import { syncFolder } from '../lib/sync-folder.ts';
import type { SecretStore } from '../ports.ts';
import { keyFileError } from './secret-store-error.ts';

/** 256 bits, in the formats of `openssl rand -base64 32` and `openssl rand -hex 32`. */
const keyShapes = { base64: /^[A-Za-z0-9+/]{43}=$/, hex: /^[\da-f]{64}$/i } as const;
/** A key file has one line; anything longer is a different file. */
const maxBytes = 1024;

interface FileSecretOptions {
  /** The folder in which systemd puts a service's credentials (systemd.exec(5), `LoadCredential=`); systemd protects those files itself. */
  credentialsFolder?: string | undefined;
  platform?: NodeJS.Platform;
  /** The user id of this process; undefined on systems without user ids. */
  userId?: number | undefined;
}

/**
 * A {@link SecretStore} that is one file with one key, for computers without a keychain. It is created at the first write, readable
 * only by the user, and never overwritten.
 *
 * Anybody who can read the file can open secrets sealed with its key, so a file that others can read, write or replace is refused. On
 * Windows this is not checked: access is controlled by lists that the mode does not show, and a file inherits those of its folder. There,
 * keep it in the user's profile.
 *
 * @throws {SecretStoreError} from each call: UNAVAILABLE, with what is wrong with the file
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
    path,
    async find() {
      let file: FileHandle;
      try {
        file = await open(path, 'r');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw keyFileError({ code: 'file-unreadable', path, reason: codeOf(error) ?? String(error) }, error);
      }
      await using _ = file;
      if (checks) await refuseLoose(path, file, checks);
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(maxBytes), position: 0 });
      return parseKeyText(decodeText(buffer.subarray(0, bytesRead)), path);
    },
    async set(_name, value) {
      try {
        const folder = dirname(resolve(path));
        const made = makeFolder(folder);
        await writeAtomically(path, `${value}\n`);
        if (platform === 'win32') return;
        for (const changed of [folder, ...made.map(dirname)]) await syncFolder(changed);
      } catch (error) {
        throw keyFileError({ code: 'file-not-created', path, reason: codeOf(error) ?? String(error) }, error);
      }
    },
  };
}

/** Creates a file that is on disk either completely or not at all, and never replaces another one. */
async function writeAtomically(path: string, text: string): Promise<void> {
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

/** For file systems without links (FAT, some shares). Another program may create the file between the check and the rename. */
async function renameWhereFree(from: string, to: string, linkError: unknown): Promise<void> {
  if (codeOf(linkError) === 'EEXIST') throw linkError;
  const isTaken = await fs.lstat(to).then(
    () => true,
    () => false,
  );
  if (isTaken) throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' });
  await fs.rename(from, to);
}

/** Refuses a file that others can access. Checks the opened file, so that nobody can swap it in between. */
async function refuseLoose(
  path: string,
  file: FileHandle,
  { credentialsFolder, userId }: Pick<FileSecretOptions, 'credentialsFolder' | 'userId'>,
): Promise<void> {
  const found = await file.stat();
  if (!found.isFile()) throw keyFileError({ code: 'not-a-file', path });
  const real = await realpath(path);
  // A credential belongs to the service, or to root with an access right for the service that shows as a group permission.
  const isCredential = credentialsFolder !== undefined && real.startsWith((await realpath(credentialsFolder)) + sep);
  const forbidden = isCredential ? 0o037 : 0o077;
  if ((found.mode & forbidden) !== 0) throw keyFileError({ code: 'file-exposed', path, mode: found.mode & 0o777 });
  if (found.uid !== 0 && found.uid !== userId) throw keyFileError({ code: 'file-of-other-user', path });
  if (isCredential) return;
  // Anybody who can write the folder can replace the file, unless the sticky bit protects the files of others (as in /tmp).
  for (const folder of new Set([dirname(resolve(path)), dirname(real)])) {
    const { mode } = await stat(folder);
    if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0) throw keyFileError({ code: 'folder-exposed', path, folder });
  }
}

/** An editor may put a byte order mark before the key, and `>` in PowerShell 5 writes UTF-16 with one. `trim` removes it. */
function decodeText(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').trim();
}

function parseKeyText(text: string, path: string): string {
  if (keyShapes.base64.test(text)) return text;
  if (keyShapes.hex.test(text)) return Buffer.from(text, 'hex').toString('base64');
  throw keyFileError({ code: 'file-without-key', path });
}
