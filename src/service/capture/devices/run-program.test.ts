import { expect, test } from 'vitest';
import { runProgram } from './run-program.ts';

/** Runs a shell, which may take its time on a busy computer. */
const sh = (script: string, options?: Parameters<typeof runProgram>[2]) =>
  runProgram('/bin/sh', ['-c', script], { timeoutMs: 60_000, ...options });

test.skipIf(process.platform === 'win32')('what a program prints counts only if it succeeds', async () => {
  expect(await sh('echo here')).toEqual({ kind: 'printed', text: 'here\n' });
  // As xwininfo does when a window closes while it walks through them.
  expect(await sh('echo half; exit 1')).toEqual({ kind: 'failed' });
  expect(await sh('kill -SEGV $$')).toEqual({ kind: 'failed' });
  expect(await sh('exec sleep 60', { timeoutMs: 50 })).toEqual({ kind: 'failed' });
  expect(await runProgram('/nowhere/pactl', [])).toEqual({ kind: 'absent' });
});

test.skipIf(process.platform === 'win32')("ffmpeg's lists end with an error; one that is killed tells nothing", async () => {
  expect(await sh('echo list >&2; exit 1', { from: 'stderr' })).toEqual({ kind: 'printed', text: 'list\n' });
  expect(await sh('echo half >&2; kill -SEGV $$', { from: 'stderr' })).toEqual({ kind: 'failed' });
  expect(await sh('echo half >&2; exec sleep 60', { from: 'stderr', timeoutMs: 50 })).toEqual({ kind: 'failed' });
});
