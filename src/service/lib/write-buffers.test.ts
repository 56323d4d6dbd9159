import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { writeBuffers } from './write-buffers.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-write-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('more buffers than one call takes, and empty ones, become one file, which only the user reads', async () => {
  const path = join(folder, 'segment');
  const buffers = Array.from({ length: 3_000 }, (_, index) => Buffer.from(index % 7 === 0 ? '' : `${index} `));
  await writeBuffers(path, buffers);
  expect(await readFile(path)).toEqual(Buffer.concat(buffers));
  expectPrivate(path);
});

test('an older file is replaced, also by an empty one', async () => {
  const path = join(folder, 'segment');
  await writeFile(path, 'older and longer');
  await writeBuffers(path, [Buffer.from('new')]);
  expect(await readFile(path, 'utf8')).toBe('new');
  await writeBuffers(path, []);
  expect(await readFile(path, 'utf8')).toBe('');
});

test('what the system took only in part is continued where it stopped', async () => {
  const path = join(folder, 'segment');
  const file = await open(path, 'w');
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  const whole = prototype.writev;
  using _ = vi.spyOn(prototype, 'writev').mockImplementation(function (this: unknown, buffers: unknown) {
    const [first = Buffer.alloc(0)] = buffers as Buffer[];
    return whole.call(this, [first.subarray(0, 3)]);
  });
  await writeBuffers(path, [Buffer.from('abcdefgh'), Buffer.from('i'), Buffer.from('jklm')]);
  expect(await readFile(path, 'utf8')).toBe('abcdefghijklm');
});

test.runIf(process.platform === 'linux')('a full disk rejects', async () => {
  await expect(writeBuffers('/dev/full', [Buffer.from('a')])).rejects.toThrow('ENOSPC');
});
