import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { makeFifo } from '../../test/support/fifo.ts';

/** Prints a line again and again, and may wait for a file forever. */
const program = `
  import { open } from 'node:fs/promises';
  import { endWithoutOutput } from ${JSON.stringify(new URL('end-without-output.ts', import.meta.url).href)};
  endWithoutOutput(process);
  if (process.argv[1]) open(process.argv[1]);
  const print = () => process.stdout.write('one more\\n');
  setInterval(print, 1);
  print();
  print();
`;
const args = ['--input-type=module', '-e', program];

// Only Linux has a disk that is always full.
test.runIf(process.platform === 'linux')('a command whose output is on a full disk says so once, and fails', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'tallylight: The output cannot be written (ENOSPC).\n' });
});

test('a command ends silently once its reader closes the pipe, even while input keeps arriving', async () => {
  const input = process.platform === 'win32' ? [] : [makeFifo()];
  const child = spawn(process.execPath, [...args, ...input], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors = child.stderr.toArray();
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await errors).toEqual([]);
});
