import { promises } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeOnce } from './make-once.ts';

async function useEmptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-make-once-'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  return folder;
}

test('bytes are made once for a key, whether asked for at the same time or later, and each caller gets a copy', async () => {
  const folder = await useEmptyFolder();
  const make = vi.fn(async () => Buffer.from('media'));
  const [one, other] = await Promise.all([makeOnce(['a', 'b'], make), makeOnce(['a', 'b'], make)]);
  one.fill(0);
  expect([other.toString(), (await makeOnce(['a', 'b'], make)).toString()]).toEqual(['media', 'media']);
  expect(make).toHaveBeenCalledOnce();
  expect(await readdir(join(folder, 'made-once'))).toHaveLength(1);
});

test('a caller that looks for the bytes while another makes them, and hears late that they are missing, does not make them again', async () => {
  await useEmptyFolder();
  const told = Promise.withResolvers<void>();
  const { readFile } = promises;
  const looking = vi.spyOn(promises, 'readFile').mockImplementation(async (...args) => {
    const isSecond = looking.mock.calls.length === 2;
    return readFile(...args).catch(async (error: unknown) => {
      if (isSecond) await told.promise;
      throw error;
    });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    looking.mockRestore();
    syncBuiltinESMExports();
  });
  const make = vi.fn(async () => Buffer.from('media'));
  const [one, other] = [makeOnce(['a'], make), makeOnce(['a'], make)];
  await one;
  told.resolve();
  expect((await other).toString()).toBe('media');
  expect(make).toHaveBeenCalledOnce();
});

test('another key is other bytes, also if its parts join to the same text', async () => {
  await useEmptyFolder();
  await makeOnce(['ab', 'c'], async () => Buffer.from('one'));
  expect((await makeOnce(['a', 'bc'], async () => Buffer.from('other'))).toString()).toBe('other');
});

test('a failure is not kept', async () => {
  await useEmptyFolder();
  await expect(makeOnce(['a'], () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  expect((await makeOnce(['a'], async () => Buffer.from('media'))).toString()).toBe('media');
});
