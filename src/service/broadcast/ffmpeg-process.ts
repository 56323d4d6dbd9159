import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type FfmpegProgress, FfmpegProgressReader } from './ffmpeg-progress.ts';

/** How many of stderr's last lines are kept for the error. */
const stderrLines = 40;
/** How long ffmpeg may take to end after `q`. */
const quitGraceMs = 1_500;

/** How an ffmpeg ended, with stderr's last lines, oldest first. */
export interface FfmpegEnd {
  exitCode: number | null;
  killedBy: NodeJS.Signals | null;
  stderr: string[];
}

/** One running ffmpeg; single use. */
export interface FfmpegProcess {
  /** Resolves, never rejects, when ffmpeg and its pipes have ended. */
  readonly ended: Promise<FfmpegEnd>;
  /** Asks with `q`, kills after 1.5 s; resolves when it has ended. */
  stop(): Promise<FfmpegEnd>;
}

/**
 * Starts ffmpeg with `args`: its stdout goes to `onOutput`, its `-progress pipe:3` to `onProgress`.
 *
 * ffmpeg cannot outlive this process by much: its stdin and stdout are pipes of ours, and writing to a closed one ends it.
 * A path that cannot be started ends at once, with the reason as its stderr.
 */
export function startFfmpeg(
  path: string,
  args: readonly string[],
  { onOutput, onProgress }: { onOutput: (bytes: Buffer) => void; onProgress: (progress: FfmpegProgress) => void },
): FfmpegProcess {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'], windowsHide: true });
  const stderr: string[] = [];
  const keep = (line: string) => {
    stderr.push(line);
    if (stderr.length > stderrLines) stderr.shift();
  };
  const progress = new FfmpegProgressReader();
  child.stdout.on('data', onOutput);
  createInterface({ input: child.stderr }).on('line', keep);
  (child.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
    for (const block of progress.push(text)) onProgress(block);
  });
  // Writing `q` to an ffmpeg that has just ended is no failure.
  child.stdin.on('error', () => {});

  const ended = new Promise<FfmpegEnd>((resolve) => {
    child.on('error', (error) => {
      keep(error.message);
      if (child.pid === undefined) resolve({ exitCode: null, killedBy: null, stderr });
    });
    child.on('close', (exitCode, killedBy) => resolve({ exitCode, killedBy, stderr }));
  });

  return {
    ended,
    async stop() {
      child.stdin.write('q');
      const kill = setTimeout(() => child.kill('SIGKILL'), quitGraceMs);
      const end = await ended;
      clearTimeout(kill);
      return end;
    },
  };
}
