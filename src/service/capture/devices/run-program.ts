import { execFile } from 'node:child_process';

/** A program that doesn't answer within this is of no use. */
const defaultTimeoutMs = 3_000;

/** What a program printed; or `absent`: it isn't installed; or `failed`: it says nothing about what is there. */
export type ProgramRun = { kind: 'printed'; text: string } | { kind: 'absent' } | { kind: 'failed' };

/**
 * Runs a program that lists devices.
 *
 * @param options.from `stderr`: of ffmpeg, whose lists there end with an error, since nothing is opened
 */
export function runProgram(
  path: string,
  args: readonly string[],
  { from = 'stdout', timeoutMs = defaultTimeoutMs }: { from?: 'stdout' | 'stderr'; timeoutMs?: number } = {},
): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      // A driver that hangs ignores SIGTERM.
      killSignal: 'SIGKILL' as const,
      windowsHide: true,
      maxBuffer: 4 * 1024 * 1024,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    };
    execFile(path, args, options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') resolve({ kind: 'absent' });
      else if (error !== null && (from === 'stdout' || typeof error.code !== 'number')) resolve({ kind: 'failed' });
      else resolve({ kind: 'printed', text: from === 'stderr' ? stderr : stdout });
    });
  });
}

/** What a program printed; undefined if it isn't there or failed. */
export function textOf(run: ProgramRun): string | undefined {
  return run.kind === 'printed' ? run.text : undefined;
}
