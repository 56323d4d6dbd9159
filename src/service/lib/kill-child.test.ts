import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { killChild } from './kill-child.ts';

test('a child that was never started gets no signal', async () => {
  // Mocked: a real signal could reach any process.
  using kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true);
  const child = spawn('/nowhere/program');
  const failed = once(child, 'error');
  expect(killChild(child, 'SIGKILL')).toBe(false);
  await failed;
  expect(killChild(child, 'SIGKILL')).toBe(false);
  expect(kill).not.toHaveBeenCalled();
});

test('a child that has ended gets none', async () => {
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'exit');
  expect(killChild(ended, 'SIGKILL')).toBe(false);
});

test('a child that runs gets it', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  expect(killChild(child, 'SIGKILL')).toBe(true);
  expect(await exited).toEqual([null, 'SIGKILL']);
});
