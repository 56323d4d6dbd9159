import { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runWithFewFiles } from '../../../test/support/run-with-few-files.ts';
import { soon } from '../../../test/support/soon.ts';
import { surviveKill } from '../../../test/support/survive-kill.ts';
import { explainExit, startFfmpeg } from './ffmpeg-process.ts';

const silent = { onOutput: [() => {}], onProgress: () => {} };

it('a missing ffmpeg ends at once with the error', async () => {
  const ffmpeg = startFfmpeg('/nowhere/ffmpeg', [], silent);
  expect(await ffmpeg.ended).toEqual({ exitCode: null, killedBy: null, stderr: ['spawn /nowhere/ffmpeg ENOENT'] });
});

it('a missing ffmpeg that is killed at once kills nobody', async () => {
  // Mocked: a real signal could reach any process.
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const ffmpeg = startFfmpeg('/nowhere/ffmpeg', [], silent);
  ffmpeg.kill();
  expect(await ffmpeg.finish()).toMatchObject({ exitCode: null, killedBy: null });
  expect(kill).not.toHaveBeenCalled();
});

it.skipIf(process.platform === 'win32')(
  'an ffmpeg that gets no more threads counts as not started, like one that gets no process',
  async () => {
    const line = '[vf#0:0 @ 0x5587229f3bc0] pthread_create() failed: Resource temporarily unavailable';
    const end = await startFfmpeg('/bin/sh', ['-c', `echo '${line}' >&2; exit 234`], silent).ended;
    expect(end).toEqual({ exitCode: 234, killedBy: null, stderr: [line], shortage: 'processes' });
    expect(explainExit(end)).toEqual({ code: 'not-started', shortage: 'processes' });
  },
);

it('an ffmpeg that spawn rejects ends at once, accepts input and can be stopped', async () => {
  const ffmpeg = startFfmpeg('a path with a \0', [], silent);
  ffmpeg.input.write('lost');
  ffmpeg.kill();
  expect(await ffmpeg.finish()).toEqual({
    exitCode: null,
    killedBy: null,
    stderr: [expect.stringContaining('must be a string without null bytes')],
  });
});

it.skipIf(process.platform === 'win32')('an ffmpeg that a script has started ends with the script that is killed', async () => {
  const sign = join(await mkdtemp(join(tmpdir(), 'tallylight-killed-')), 'ended');
  // Like a capture, it reads nothing and writes until nobody reads its output.
  const inner = `trap '' PIPE; while echo picture; do :; done 2>/dev/null; : > '${sign}'`;
  const begun = Promise.withResolvers<void>();
  const listeners = { ...silent, onOutput: [() => begun.resolve()] };
  const ffmpeg = startFfmpeg('/bin/sh', ['-c', `sh -c "${inner}"; exit`], listeners);
  await begun.promise;
  ffmpeg.kill();
  expect(await ffmpeg.ended).toMatchObject({ exitCode: null, killedBy: 'SIGKILL' });
  await soon(() => expect(existsSync(sign)).toBe(true));
});

it.skipIf(process.platform === 'win32')('of a log line that does not end, only the beginning is kept', async () => {
  const script = `head -c 1000000 /dev/zero | tr '\\0' x >&2; echo >&2; printf 'why it ended' >&2`;
  const { stderr } = await startFfmpeg('/bin/sh', ['-c', script], silent).ended;
  expect(stderr.map((line) => line.length)).toEqual([16_384, 12]);
  expect(stderr.at(-1)).toBe('why it ended');
});

it.runIf(process.platform === 'linux')('without free file descriptors ffmpeg ends at once with the error', async () => {
  const script = new URL('../../../test/support/start-ffmpeg-without-files.ts', import.meta.url);
  const stderr = ['spawn ffmpeg EMFILE'];
  expect(await runWithFewFiles(script)).toEqual({
    exitCode: null,
    killedBy: null,
    stderr,
    shortage: 'own-files',
  });
});

it.skipIf(process.platform === 'win32')('an ffmpeg that its kill does not end is waited for no longer than 2 s', async () => {
  surviveKill();
  const ffmpeg = startFfmpeg('/bin/sleep', ['60'], silent);
  ffmpeg.kill();
  expect(await ffmpeg.ended).toEqual({
    exitCode: null,
    killedBy: 'SIGKILL',
    stderr: ['sleep was still running 2 s after it was killed.'],
  });
});
