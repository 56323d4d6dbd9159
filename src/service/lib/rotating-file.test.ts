import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fs, { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { soon } from '../../../test/support/soon.ts';
import { openRotatingFile } from './rotating-file.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tallylight-log-'));
  folder = join(parent, 'logs');
});
afterEach(() => {
  vi.restoreAllMocks();
  // A log closed right after opening may still create its file in the background while the folder is being removed.
  rmSync(parent, { recursive: true, maxRetries: 5 });
});

const readAll = () => Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

test('a file that would exceed its limit is rotated, and the oldest is deleted', async () => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 8, maxFiles: 3 });
  for (const line of ['one\n', 'two\n', '3\n', 'four\n', 'five5\n', 'a line past the bound\n', '7\n']) file.write(line);
  await file.flush();
  file.close();
  expect(readAll()).toEqual({ 'a.log': '7\n', 'a.1.log': 'a line past the bound\n', 'a.2.log': 'five5\n' });
});

/** Like Windows while another program has the file open: it cannot be moved. */
function holdInPlace(name: string) {
  const rename = fs.rename.bind(fs);
  return vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    if ([from, to].includes(join(folder, name))) throw Object.assign(new Error('held'), { code: 'EPERM' });
    await rename(from, to);
  });
}

test.each(['a.log', 'a.1.log', 'a.2.log'])('while %s cannot be moved, no line and no file is lost', async (held) => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 2, maxFiles: 4 });
  const write = async (...lines: string[]) => {
    for (const line of lines) file.write(`${line}\n`);
    await file.flush();
  };
  await write('1', '2', '3');
  const holding = holdInPlace(held);
  await write('4', '5', '6', '7');
  const lines = () => Object.values(readAll()).join('').split('\n').sort().join('');
  expect(lines()).toBe('1234567');
  holding.mockRestore();
  await write('8', '9');
  expect(readAll()).toMatchObject({ 'a.log': '9\n', 'a.1.log': '8\n' });
  file.close();
});

test('lines are appended to the file of an earlier run, and its size counts', async () => {
  const bounds = { maxFileBytes: 8, maxFiles: 2 };
  const first = openRotatingFile(join(folder, 'a'), bounds);
  first.write('one\n');
  first.close();
  const second = openRotatingFile(join(folder, 'a'), bounds);
  second.write('two\n');
  second.write('3\n');
  await second.flush();
  second.close();
  expect(readAll()).toEqual({ 'a.log': '3\n', 'a.1.log': 'one\ntwo\n' });
});

test('nothing is created before the first line or written after close', () => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 8, maxFiles: 2 });
  expect(readdirSync(parent)).toEqual([]);
  file.write('1\n');
  file.close();
  file.close();
  file.write('2\n');
  expect(readAll()).toEqual({ 'a.log': '1\n' });
});

test('lines that cannot be written are dropped without an error', async () => {
  writeFileSync(folder, 'a file where the folder should be');
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 8, maxFiles: 2 });
  file.write('1\n');
  await file.flush();
  file.close();
});

/** A disk that blocks until the test releases it, or fails. */
async function holdDisk() {
  const handle = await open(join(parent, 'other'), 'w');
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const append = prototype.appendFile;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isAsked = vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: FileHandle, data) {
    await promise;
    await append.call(this, data);
  });
  return { resolve, reject, isAsked };
}

test('a slow disk blocks nothing: lines wait up to a limit, and dropped ones are counted', async () => {
  const held = await holdDisk();
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 10_000, maxFiles: 2, maxWaitingBytes: 8 });
  file.write('one\n');
  const written = file.flush();
  await soon(() => expect(held.isAsked).toHaveBeenCalled());
  for (const line of ['two\n', '3\n', 'dropped\n', 'dropped too\n']) file.write(line);
  expect(readAll()).toEqual({ 'a.log': '' });
  held.resolve();
  await written;
  file.write('4\n');
  await file.flush();
  const lines = readAll()['a.log']?.split('\n') ?? [];
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual(['one', 'two', '3', '4', '']);
  expect(lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))).toEqual([
    { level: 40, time: expect.any(String), dropped: 2, msg: 'Log lines were dropped because the disk was slow or full.' },
  ]);
  file.close();
});

test('after a full disk has room again, the number of dropped lines is logged', async () => {
  const held = await holdDisk();
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 10_000, maxFiles: 2 });
  file.write('1\n');
  await soon(() => expect(held.isAsked).toHaveBeenCalled());
  held.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await file.flush();
  file.write('2\n');
  await file.flush();
  expect(readAll()['a.log']).toMatch(/^2\n\{.*"dropped":1,.*\}\n$/);
  file.close();
});

test('at the end of the process waiting lines are written, once', async () => {
  const held = await holdDisk();
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 10_000, maxFiles: 2 });
  file.write('one\n');
  await soon(() => expect(held.isAsked).toHaveBeenCalled());
  file.write('last words\n');
  file.close();
  held.resolve();
  expect(readAll()).toEqual({ 'a.log': 'one\nlast words\n' });
});

test('folder and files are readable only by the user', async () => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 2, maxFiles: 2 });
  file.write('1\n');
  file.write('2\n');
  await file.flush();
  file.close();
  expectPrivate(folder, join(folder, 'a.log'), join(folder, 'a.1.log'));
});
