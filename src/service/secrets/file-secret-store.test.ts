import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs, { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { openFileSecretStore } from './file-secret-store.ts';
import { openSealer } from './master-key.ts';
import { SecretStoreError } from './secret-store-error.ts';

const key = randomBytes(32);
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-file-'));
  path = join(folder, 'key');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const store = (options = {}) => openFileSecretStore(path, { credentialsFolder: undefined, ...options });
const write = (text: string | Buffer, mode: number, at = path) => {
  writeFileSync(at, text);
  chmodSync(at, mode);
};
/** The key that is found, or the fault. */
const findKey = async (secrets = store()) => {
  const found = await secrets.find('any').catch((error: unknown) => error);
  return found instanceof SecretStoreError ? found.fault : found;
};
const notCreated = (reason: string) => ({
  code: 'UNAVAILABLE',
  details: { secretsFault: { code: 'file-not-created', path, reason } },
});

test('the first use creates the file and its folder for the user only; the next opens what it sealed', async () => {
  path = join(folder, 'made', 'here', 'key');
  const sealed = (await openSealer(store(), 'folder')).sealer.seal('abcd-efgh', 'stream');
  expectPrivate(path, join(folder, 'made'));
  expect((await openSealer(store(), 'folder')).sealer.open(sealed, 'stream')).toBe('abcd-efgh');
});

test.each([
  ['base64', `${key.toString('base64')}\n`],
  ['hex', `${key.toString('hex').toUpperCase()}\n`],
  ['base64 after a byte order mark, as some editors save it', `\ufeff${key.toString('base64')}\r\n`],
  ['UTF-16, as PowerShell 5 writes it', Buffer.from(`\ufeff${key.toString('base64')}\r\n`, 'utf16le')],
])('an existing key in %s is used', async (_shape, text) => {
  write(text, 0o600);
  expect(await store().find('any')).toBe(key.toString('base64'));
});

test.each(['', 'secret\n', randomBytes(31).toString('base64'), 'x'.repeat(2000)])(
  '%j is not a key, and is not overwritten',
  async (text) => {
    write(text, 0o600);
    const fault = { code: 'file-without-key', path };
    expect(await findKey()).toEqual(fault);
    await expect(openSealer(store(), 'folder')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { secretsFault: fault },
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('a file created meanwhile is not overwritten', async () => {
  write('someone else was quicker', 0o600);
  await expect(store().set('any', 'key')).rejects.toMatchObject(notCreated('EEXIST'));
  expect(readFileSync(path, 'utf8')).toBe('someone else was quicker');
});

test.each(['writeFile', 'sync'] as const)(
  'a failing %s, as on a full disk, leaves nothing that breaks the next start',
  async (what) => {
    await using other = await open(join(folder, 'other'), 'w');
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    vi.spyOn(Object.getPrototypeOf(other) as FileHandle, what).mockImplementationOnce(async function (this: FileHandle) {
      await this.write('half a key');
      throw full;
    });
    await expect(openSealer(store(), 'folder')).rejects.toMatchObject(notCreated('ENOSPC'));
    expect(readdirSync(folder)).toEqual(['other']);
    const sealed = (await openSealer(store(), 'folder')).sealer.seal('abcd-efgh', 'stream');
    expect((await openSealer(store(), 'folder')).sealer.open(sealed, 'stream')).toBe('abcd-efgh');
    expect(readdirSync(folder)).toEqual(['key', 'other']);
  },
);

test('without hard links the key is still created, and none is overwritten', async () => {
  using _ = vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('not supported'), { code: 'EPERM' }));
  await store().set('any', key.toString('base64'));
  expect(await store().find('any')).toBe(key.toString('base64'));
  await expect(store().set('any', 'another')).rejects.toMatchObject(notCreated('EEXIST'));
  expect([await store().find('any'), readdirSync(folder)]).toEqual([key.toString('base64'), ['key']]);
});

describe.skipIf(process.platform === 'win32')('the folder of a new key', () => {
  /** Calls `sync` instead of syncing a folder, and returns the files and folders that were synced. */
  async function watchSyncs(sync = async () => {}) {
    await using other = await open(join(folder, 'other'), 'w');
    const synced: { inode: number; hadKey: boolean }[] = [];
    vi.spyOn(Object.getPrototypeOf(other) as FileHandle, 'sync').mockImplementation(async function (this: FileHandle) {
      const found = await this.stat();
      synced.push({ inode: found.ino, hadKey: existsSync(path) });
      if (found.isDirectory()) await sync();
    });
    return synced;
  }
  const inodeOf = (at: string) => statSync(at).ino;
  const fail = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };

  test('is synced once it has the key, and so are those above it that are new', async () => {
    path = join(folder, 'made', 'here', 'key');
    const synced = await watchSyncs();
    await store().set('any', key.toString('base64'));
    expect(synced).toEqual([
      { inode: inodeOf(path), hadKey: false },
      { inode: inodeOf(join(folder, 'made', 'here')), hadKey: true },
      { inode: inodeOf(join(folder, 'made')), hadKey: true },
      { inode: inodeOf(folder), hadKey: true },
    ]);
  });

  test('is synced alone if it is not new, and without hard links too', async () => {
    using _ = vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('not supported'), { code: 'EPERM' }));
    const synced = await watchSyncs();
    await store().set('any', key.toString('base64'));
    expect(synced).toEqual([
      { inode: inodeOf(path), hadKey: false },
      { inode: inodeOf(folder), hadKey: true },
    ]);
  });

  test('that a disk fails to sync is an error, and the next start finds the key', async () => {
    await watchSyncs(fail('EIO'));
    const text = key.toString('base64');
    await expect(store().set('any', text)).rejects.toMatchObject(notCreated('EIO'));
    expect([await store().find('any'), readdirSync(folder)]).toEqual([text, ['key', 'other']]);
  });

  test.each(['EINVAL', 'EACCES'])('that its file system cannot sync (%s) is no error', async (code) => {
    await watchSyncs(fail(code));
    await store().set('any', key.toString('base64'));
    expect(readdirSync(folder)).toEqual(['key', 'other']);
  });

  test('is not opened on Windows, which cannot', async () => {
    const synced = await watchSyncs();
    await store({ platform: 'win32' }).set('any', key.toString('base64'));
    expect(synced).toEqual([{ inode: inodeOf(path), hadKey: false }]);
  });
});

describe.skipIf(process.platform === 'win32')('access by other users', () => {
  test.each([0o640, 0o604, 0o620])('mode %o is refused', async (mode) => {
    write(key.toString('base64'), mode);
    expect(await findKey()).toEqual({ code: 'file-exposed', path, mode });
  });

  test('a folder that others can write is refused, unless its sticky bit protects files', async () => {
    write(key.toString('base64'), 0o600);
    chmodSync(folder, 0o777);
    expect(await findKey()).toEqual({ code: 'folder-exposed', path, folder });
    chmodSync(folder, 0o1777);
    expect(await findKey()).toBe(key.toString('base64'));
  });

  test('a symlink is judged by its target', async () => {
    const loose = join(folder, 'loose');
    mkdirSync(loose);
    write(key.toString('base64'), 0o600, join(loose, 'key'));
    symlinkSync(join(loose, 'key'), path);
    expect(await findKey()).toBe(key.toString('base64'));
    chmodSync(join(loose, 'key'), 0o644);
    expect(await findKey()).toEqual({ code: 'file-exposed', path, mode: 0o644 });
    chmodSync(join(loose, 'key'), 0o600);
    chmodSync(loose, 0o777);
    expect(await findKey()).toEqual({ code: 'folder-exposed', path, folder: loose });
  });

  test('a dangling symlink is not followed to create a file', async () => {
    symlinkSync(join(folder, 'nowhere'), path);
    await expect(openSealer(store(), 'folder')).rejects.toMatchObject(notCreated('EEXIST'));
  });

  test('a folder and a file of another user are refused', async () => {
    mkdirSync(path, { mode: 0o700 });
    expect(await findKey()).toEqual({ code: 'not-a-file', path });
    rmSync(path, { recursive: true });
    write(key.toString('base64'), 0o600);
    const mine = process.getuid?.() ?? 0;
    if (mine === 0) {
      // Files of root can be trusted by everyone.
      expect(await findKey(store({ userId: 1_001 }))).toBe(key.toString('base64'));
      chownSync(path, 1_002, 1_002);
    }
    expect(await findKey(store({ userId: mine + 1_001 }))).toEqual({ code: 'file-of-other-user', path });
  });

  test('a systemd credential may be readable by its group, but not by others', async () => {
    write(key.toString('base64'), 0o440);
    expect(await findKey()).toEqual({ code: 'file-exposed', path, mode: 0o440 });
    expect(await findKey(store({ credentialsFolder: folder }))).toBe(key.toString('base64'));
    chmodSync(path, 0o444);
    expect(await findKey(store({ credentialsFolder: folder }))).toEqual({ code: 'file-exposed', path, mode: 0o444 });
  });
});

test('on Windows the mode is not checked, since it does not show who can read a file', async () => {
  write(key.toString('base64'), 0o644);
  expect(await findKey(store({ platform: 'win32' }))).toBe(key.toString('base64'));
});
