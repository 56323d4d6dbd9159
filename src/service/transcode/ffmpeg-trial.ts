import { execFile } from 'node:child_process';

export interface TrialOptions {
  timeoutMs: number;
  /** Ends it at once. */
  signal?: AbortSignal | undefined;
  /** What it reads from stdin, to the end. */
  input?: Buffer;
}

/** What came of a short run of ffmpeg. */
export interface TrialRun {
  error: Error | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** Runs ffmpeg to its end, to see what it can do here. */
export function runTrial(path: string, args: readonly string[], { timeoutMs, signal, input }: TrialOptions): Promise<TrialRun> {
  return new Promise((resolve) => {
    // Not by the option of execFile: that would ask, and a driver that hangs does not hear.
    const kill = () => child.kill('SIGKILL');
    const child = execFile(
      path,
      args,
      { timeout: timeoutMs, killSignal: 'SIGKILL', encoding: 'buffer', windowsHide: true },
      (error, stdout, stderr) => {
        signal?.removeEventListener('abort', kill);
        resolve({ error, stdout, stderr });
      },
    );
    signal?.addEventListener('abort', kill);
    if (input === undefined) return;
    // One that cannot read it closes its end.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Whether a run was ended because it took too long, or was not wanted any more. */
export function wasKilled(error: Error | null): boolean {
  return error !== null && 'killed' in error && error.killed === true;
}
