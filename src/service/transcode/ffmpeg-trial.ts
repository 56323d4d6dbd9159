import { execFile } from 'node:child_process';
import { killWithPipes } from '../lib/kill-child.ts';

export interface TrialOptions {
  timeoutMs: number;
  /** Kills it. */
  signal?: AbortSignal | undefined;
  /** All of its stdin. */
  input?: Buffer;
}

/** The outcome of a short run of ffmpeg. */
export interface TrialRun {
  error: Error | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** Runs ffmpeg to its end to find out what it can do here. */
export function runTrial(path: string, args: readonly string[], { timeoutMs, signal, input }: TrialOptions): Promise<TrialRun> {
  return new Promise((resolve) => {
    // execFile's own `signal` option sends SIGTERM, which a hanging driver ignores.
    const kill = () => killWithPipes(child);
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
    // An ffmpeg that cannot read it closes its end.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Whether a run came to an end of its own, whatever it found: one that was killed or never started may find something else another time. */
export function isConclusive(error: Error | null): boolean {
  return error === null || ('code' in error && typeof error.code === 'number');
}

/** Whether a run was killed, because it took too long or was aborted. */
export function wasKilled(error: Error | null): boolean {
  return error !== null && 'killed' in error && error.killed === true;
}
