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
const refusal = async (secrets = store()) => {
  const error = await secrets.find('any').catch((refused: Error) => refused);
  return error instanceof Error ? error.message.replaceAll(folder, '') : error;
};

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
    const sentence = `The key file ${join('/', 'key')} does not contain a 256-bit key. "openssl rand -base64 32" prints one.`;
    expect(await refusal()).toBe(sentence);
    await expect(openSealer(store(), 'folder')).rejects.toThrow('does not contain a 256-bit key');
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('a lost key is given up with the other options, which say which data folder and which key file', () => {
  expect(store().whenLost).toBe(
    'Put the key file back and start again. If it is lost, run "npm run serve -- --new-stream-keys" once, with all your other options added. All streams get new stream keys.',
  );
});

test('a file created meanwhile is not overwritten', async () => {
  write('someone else was quicker', 0o600);
  await expect(store().set('any', 'key')).rejects.toThrow(
    /cannot be created \(EEXIST\)\. Create it yourself, with the key that "openssl rand -base64 32" prints\.$/,
  );
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
    await expect(openSealer(store(), 'folder')).rejects.toThrow(/^The key file .* cannot be created \(ENOSPC\)/);
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
  await expect(store().set('any', 'another')).rejects.toThrow(/cannot be created \(EEXIST\)/);
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
    await expect(store().set('any', text)).rejects.toThrow(/^The key file .* cannot be created \(EIO\)/);
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
  test.each([
    [0o640, '640'],
    [0o604, '604'],
    [0o620, '620'],
  ])('mode %o is refused with advice', async (mode, shown) => {
    write(key.toString('base64'), mode);
    expect(await refusal()).toBe(
      `The key file /key can be read or written by other users (mode ${shown}). Run "chmod 600 '/key'" to change that.`,
    );
  });

  test('a folder that others can write is refused, unless its sticky bit protects files', async () => {
    write(key.toString('base64'), 0o600);
    chmodSync(folder, 0o777);
    expect(await refusal()).toMatch(
      /^The key file \/key is in a folder that other users can write, .*\. Run "chmod go-w '.*'" to change that\.$/,
    );
    chmodSync(folder, 0o1777);
    expect(await refusal()).toBe(key.toString('base64'));
  });

  test('a symlink is judged by its target', async () => {
    const loose = join(folder, 'loose');
    mkdirSync(loose);
    write(key.toString('base64'), 0o600, join(loose, 'key'));
    symlinkSync(join(loose, 'key'), path);
    expect(await refusal()).toBe(key.toString('base64'));
    chmodSync(join(loose, 'key'), 0o644);
    expect(await refusal()).toContain('(mode 644)');
    chmodSync(join(loose, 'key'), 0o600);
    chmodSync(loose, 0o777);
    expect(await refusal()).toContain('is in a folder that other users can write, /loose');
  });

  test('a dangling symlink is not followed to create a file', async () => {
    symlinkSync(join(folder, 'nowhere'), path);
    await expect(openSealer(store(), 'folder')).rejects.toThrow(/cannot be created \(EEXIST\)/);
  });

  test('a folder and a file of another user are refused', async () => {
    mkdirSync(path, { mode: 0o700 });
    expect(await refusal()).toBe('The key file /key is not a file.');
    rmSync(path, { recursive: true });
    write(key.toString('base64'), 0o600);
    const mine = process.getuid?.() ?? 0;
    if (mine === 0) {
      // Files of root can be trusted by everyone.
      expect(await refusal(store({ userId: 1_001 }))).toBe(key.toString('base64'));
      chownSync(path, 1_002, 1_002);
    }
    expect(await refusal(store({ userId: mine + 1_001 }))).toBe('The key file /key belongs to another user.');
  });

  test('a systemd credential may be readable by its group, but not by others', async () => {
    write(key.toString('base64'), 0o440);
    expect(await refusal()).toContain('(mode 440)');
    expect(await refusal(store({ credentialsFolder: folder }))).toBe(key.toString('base64'));
    chmodSync(path, 0o444);
    expect(await refusal(store({ credentialsFolder: folder }))).toContain('(mode 444)');
  });
});

test('on Windows the mode is not checked, since it does not show who can read a file', async () => {
  write(key.toString('base64'), 0o644);
  expect(await refusal(store({ platform: 'win32' }))).toBe(key.toString('base64'));
});
