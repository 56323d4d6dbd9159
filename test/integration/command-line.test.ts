import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, root } from '../../src/tools/paths.ts';
import { makeFifo } from '../support/fifo.ts';
import { makeTestFolder } from '../support/store-stand.ts';

const eightSeconds = new URL('../fixtures/media/eight-seconds.flv', import.meta.url);

// Only Linux has a disk that is always full.
test.runIf(process.platform === 'linux')('a new API key that cannot be printed is not lost in silence', () => {
  using folder = makeTestFolder();
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const create = [commandLine, 'keys', 'create', 'robot', '--data-dir', join(folder.path, 'data')];
  const { status, stderr } = spawnSync(process.execPath, create, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'tallylight: The output cannot be written (ENOSPC).\n' });
});

test('a path is relative to where npm was started, which may be any folder', () => {
  using folder = makeTestFolder();
  copyFileSync(eightSeconds, join(folder.path, 'show.flv'));
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['--prefix', root, 'run', '--silent', 'tallylight', '--', 'inspect', 'show.flv'],
    { cwd: folder.path, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(readFileSync(new URL('../fixtures/inspect/eight-seconds.txt', import.meta.url), 'utf8'));
});

test.runIf(process.platform !== 'win32')('inspecting what still comes in ends with its reader', async () => {
  const input = makeFifo();
  const child = spawn(process.execPath, [commandLine, 'inspect', input], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await using publisher = await open(input, 'w');
  const flv = readFileSync(eightSeconds);
  await publisher.write(flv.subarray(0, flv.length / 2));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  // It may have ended already, while it printed the first half.
  await publisher.write(flv.subarray(flv.length / 2)).catch(() => {});
  expect(await exited).toEqual([0, null]);
});
