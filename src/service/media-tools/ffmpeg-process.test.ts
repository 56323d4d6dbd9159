import { ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startFfmpeg } from './ffmpeg-process.ts';

const silent = { onOutput: [() => {}], onProgress: () => {} };

it('a missing ffmpeg ends at once with the error', async () => {
  const ffmpeg = startFfmpeg('/nowhere/ffmpeg', [], silent);
  expect(await ffmpeg.ended).toEqual({ exitCode: null, killedBy: null, stderr: ['spawn /nowhere/ffmpeg ENOENT'] });
});

it('a missing ffmpeg that is killed at once kills nobody', async () => {
  // Not called through: the signal could reach anybody.
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const ffmpeg = startFfmpeg('/nowhere/ffmpeg', [], silent);
  ffmpeg.kill();
  expect(await ffmpeg.finish()).toMatchObject({ exitCode: null, killedBy: null });
  expect(kill).not.toHaveBeenCalled();
});

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

it.runIf(process.platform === 'linux')('without free file descriptors ffmpeg ends at once with the error', async () => {
  const script = fileURLToPath(new URL('../../../test/support/start-ffmpeg-without-files.ts', import.meta.url));
  const command = 'ulimit -n 64 && exec "$0" "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script]);
  expect(JSON.parse(stdout)).toEqual({ exitCode: null, killedBy: null, stderr: ['spawn ffmpeg EMFILE'] });
});
