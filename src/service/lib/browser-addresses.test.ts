import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { makeTestFolder } from '../../../test/support/store-stand.ts';
import { forgetBrowserAddresses, issueBrowserAddress, openBrowserAddresses } from './browser-addresses.ts';
import { type DataFolderLock, lockDataFolder } from './data-folder-lock.ts';

let folder: ReturnType<typeof makeTestFolder>;
let lock: DataFolderLock;
beforeEach(() => {
  folder = makeTestFolder();
  lock = lockDataFolder(folder.path);
});
afterEach(() => {
  lock.close();
  folder[Symbol.dispose]();
});

const origin = 'http://127.0.0.1:4600';

/** A host's start: what it does once the data folder is its own. */
async function start(warn = vi.fn()) {
  await forgetBrowserAddresses(folder.path);
  const addresses = openBrowserAddresses(folder.path, { warn });
  await addresses.open(origin);
  return addresses;
}

async function issueToken(): Promise<string> {
  const url = new URL(await issueBrowserAddress(folder.path));
  expect(url.origin).toBe(origin);
  return url.searchParams.get('token') as string;
}

const notRunning = () => ({
  code: 'NOT_FOUND',
  message: `No Tallylight with its screens in a browser is running with the data folder ${folder.path}. Start one, or use another --data-dir.`,
});

test('each issued token can be taken once, in any order', async () => {
  const addresses = await start();
  const [first, second] = [await issueToken(), await issueToken()];
  expect(await addresses.take(second)).toBe(true);
  expect(await addresses.take(first)).toBe(true);
  expect(await Promise.all([first, second].map(addresses.take))).toEqual([false, false]);
});

test('of two browsers that take a token at the same time, one gets it', async () => {
  const addresses = await start();
  const token = await issueToken();
  const taken = await Promise.all([token, token].map(addresses.take));
  expect(taken.toSorted()).toEqual([false, true]);
});

test.each(['', 'origin', '../tallylight.db', 'A'.repeat(43)])('the guess "%s" takes nothing', async (guess) => {
  const addresses = await start();
  await issueToken();
  const before = readdirSync(join(folder.path, 'browser-addresses'));
  expect(await addresses.take(guess)).toBe(false);
  expect(readdirSync(join(folder.path, 'browser-addresses'))).toEqual(before);
});

test('the folder opens nothing, and is for its user only', async () => {
  const addresses = await start();
  const token = await issueToken();
  const path = join(folder.path, 'browser-addresses');
  const names = readdirSync(path);
  expect(names).toHaveLength(2);
  for (const name of names) {
    expect(`${name} ${readFileSync(join(path, name), 'utf8')}`).not.toContain(token);
    expect(await addresses.take(name)).toBe(false);
  }
  expectPrivate(path, ...names.map((name) => join(path, name)));
});

test('a token ends with the run of the host', async () => {
  await start();
  const token = await issueToken();
  expect(await (await start()).take(token)).toBe(false);
});

test('no address is issued for a folder without a running host, nor for one of the app, which has no address', async () => {
  await expect(issueBrowserAddress(folder.path)).rejects.toMatchObject(notRunning());
  await start();
  lock.close();
  await expect(issueBrowserAddress(folder.path)).rejects.toMatchObject(notRunning());
  lock = lockDataFolder(folder.path);
  await forgetBrowserAddresses(folder.path);
  await expect(issueBrowserAddress(folder.path)).rejects.toMatchObject(notRunning());
});

test('a folder that somebody else has put there is logged and never used', async () => {
  const warn = vi.fn();
  const addresses = openBrowserAddresses(folder.path, { warn });
  mkdirSync(join(folder.path, 'browser-addresses'));
  await addresses.open(origin);
  expect(warn).toHaveBeenCalledOnce();
  expect(readdirSync(join(folder.path, 'browser-addresses'))).toEqual([]);
});
