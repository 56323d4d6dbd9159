import { type ChildProcess, execFile } from 'node:child_process';
import { killWithPipes } from './kill-child.ts';

export interface RunOptions {
  /** How long it may take until it is killed. */
  timeoutMs: number;
  /** Kills it. */
  signal?: AbortSignal | undefined;
  /** All of its stdin. */
  input?: Buffer;
  env?: NodeJS.ProcessEnv;
}

/** The outcome of a run: `error` is null if the program ended well. */
export interface ProgramEnd {
  error: Error | null;
  stdout: Buffer;
  stderr: Buffer;
}

const maxOutputBytes = 4 * 1024 * 1024;

/**
 * Runs a program to its end, for its output or to learn whether it can do something here. Resolves at most 2 s after the timeout or the
 * signal's abort, even if a driver keeps the program running. If the system can't start it, that is an outcome, not an exception.
 *
 * @throws {TypeError} if the path or an argument contains a null byte
 */
export function runToEnd(path: string, args: readonly string[], options: RunOptions): Promise<ProgramEnd> {
  const { timeoutMs, signal, input, env } = options;
  return new Promise((resolve) => {
    // Not execFile's own `timeout` and `signal`: they wait until the program and all its children have closed the pipes.
    const kill = () =>
      killWithPipes(child, (fault) => {
        const error = Object.assign(new Error(fault), { killed: true });
        end(withoutOutput(error));
      });
    const end = (outcome: ProgramEnd) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      resolve(outcome);
    };
    let child: ChildProcess;
    try {
      child = execFile(
        path,
        args,
        { killSignal: 'SIGKILL', encoding: 'buffer', windowsHide: true, maxBuffer: maxOutputBytes, env },
        (error, stdout, stderr) => end({ error, stdout, stderr }),
      );
    } catch (error) {
      // Node reports a few start errors by callback (EACCES, ENOENT, …) and throws the others, such as a binary for another processor.
      if (!(error instanceof Error) || error instanceof TypeError) throw error;
      resolve(withoutOutput(error));
      return;
    }
    const timer = setTimeout(kill, timeoutMs);
    signal?.addEventListener('abort', kill);
    if (input === undefined) return;
    // A program that cannot read it closes its end.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function withoutOutput(error: Error): ProgramEnd {
  return { error, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
}

/** Whether the program ended by itself, with any result. A program that was killed or never started may give another result next time. */
export function isConclusive(error: Error | null): boolean {
  return error === null || ('code' in error && typeof error.code === 'number');
}

/** Whether a run was killed, because it took too long or was aborted. */
export function wasKilled(error: Error | null): boolean {
  return error !== null && 'killed' in error && error.killed === true;
}
