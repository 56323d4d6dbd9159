import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakClose } from '../support/break-close.ts';
import { startTestHost } from '../support/headless-host.ts';

test.concurrent.each<[NodeJS.Signals, string[]]>([
  ['SIGTERM', ['Tallylight could not close everything.']],
  ['SIGUSR2', ['Tallylight ended because of an internal error.', 'Tallylight could not close everything.']],
])('a host that cannot close exits with 1 after %s, in under 5 s, and logs the reason once', async (signal, reasons) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'failed-close-'));
  const host = await startTestHost({ dataFolder, env: breakClose });
  const endedAtMs = performance.now();
  expect(await host.end(signal)).toBe(1);
  expect(performance.now() - endedAtMs).toBeLessThan(5_000);
  const files = await readdir(join(dataFolder, 'logs'));
  const text = (await Promise.all(files.map((file) => readFile(join(dataFolder, 'logs', file), 'utf8')))).join('');
  const fatal = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { message: string } })
    .filter(({ level }) => level === 60);
  expect(fatal.map(({ msg }) => msg)).toEqual(reasons);
  expect(fatal.at(-1)?.err?.message).toContain('The store cannot be closed.');
  await rm(dataFolder, { recursive: true });
});
