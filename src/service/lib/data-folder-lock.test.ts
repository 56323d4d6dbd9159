import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { fillDisk } from '../../../test/support/full-disk.ts';
import { isDataFolderLocked, lockDataFolder } from './data-folder-lock.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tallylight-lock-'));
  folder = join(parent, 'made', 'here');
});
afterEach(() => rmSync(parent, { recursive: true }));

const inUse = (path: string) =>
  expect.objectContaining({ code: 'DATA_FOLDER_IN_USE', details: { startFault: { code: 'folder-in-use', path } } });

/** Another process that holds the lock and prints a line once it does. */
async function startHolder() {
  const module = new URL('./data-folder-lock.ts', import.meta.url).href;
  const script = `const { lockDataFolder } = await import(${JSON.stringify(module)});
    globalThis.lock = lockDataFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('a locked folder is refused to a second service until the first has closed', () => {
  const first = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(inUse(folder));
  first.close();
  first.close();
  lockDataFolder(folder).close();
});

test('a folder locked by another process is free once that process is killed', async () => {
  const holder = await startHolder();
  expect(() => lockDataFolder(folder)).toThrow(inUse(folder));
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockDataFolder(folder).close();
});

test('whether a folder is locked is known without locking it', async () => {
  expect(isDataFolderLocked(folder)).toBe(false);
  const holder = await startHolder();
  expect(isDataFolderLocked(folder)).toBe(true);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(isDataFolderLocked(folder)).toBe(false);
  lockDataFolder(folder).close();
});

test.runIf(process.platform === 'linux')('a folder on a full disk can be locked, and the lock writes nothing there', () => {
  lockDataFolder(folder).close();
  using _full = fillDisk();
  const lock = lockDataFolder(folder);
  expect([isDataFolderLocked(folder), readdirSync(folder)]).toEqual([true, ['service.lock']]);
  lock.close();
  expect(isDataFolderLocked(folder)).toBe(false);
});

test('a new folder and its file are readable only by the user', () => {
  const lock = lockDataFolder(folder);
  expectPrivate(folder, join(folder, 'service.lock'));
  lock.close();
});

test('a folder that cannot be written is an error that names it', () => {
  // Works like a read-only folder, even for a user who may write everywhere. Windows opens a folder, but SQLite doesn't.
  mkdirSync(join(folder, 'service.lock'), { recursive: true });
  expect(() => lockDataFolder(folder)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      details: {
        startFault: expect.objectContaining({
          code: expect.stringMatching(/^folder-(unwritable|unlockable)$/),
          path: folder,
          text: expect.stringMatching(/./),
        }),
      },
    }),
  );
});

const cannotLock = (path: string, text: string) =>
  expect.objectContaining({
    code: 'UNAVAILABLE',
    details: { startFault: { code: 'folder-unlockable', path, file: 'service.lock', text } },
  });

test('a folder that cannot be locked is an error that names the folder and the file', () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'service.lock'), 'not a lock');
  expect(() => lockDataFolder(folder)).toThrow(cannotLock(folder, 'file is not a database'));
});

test.skipIf(process.platform === 'win32')('so is one whose path is longer than SQLite opens', () => {
  const far = join(folder, ...Array<string>(3).fill('x'.repeat(200)));
  expect(() => lockDataFolder(far)).toThrow(cannotLock(far, 'unable to open database file'));
});
