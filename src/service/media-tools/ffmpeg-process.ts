import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import { reportFault } from '../lib/faults.ts';
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

/** What its exit says of why it ended. */
export function explainExit({ exitCode, killedBy }: Pick<FfmpegEnd, 'exitCode' | 'killedBy'>): EncodeFailure {
  if (killedBy !== null) return { code: 'killed', signal: killedBy };
  return exitCode === null ? { code: 'not-started' } : { code: 'exited', exitCode };
}

/** One running ffmpeg; single use. */
export interface FfmpegProcess {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined;
  /** ffmpeg's stdin; writing to one that has ended is no failure. */
  readonly input: Writable;
  /** Resolves, never rejects, when ffmpeg and its pipes have ended. */
  readonly ended: Promise<FfmpegEnd>;
  /** Asks with `q`, kills after 1.5 s; resolves when it has ended. */
  stop(): Promise<FfmpegEnd>;
  /** Ends it at once; what it had not yet written is lost. */
  kill(): void;
}

/** Where ffmpeg writes its `-progress`. */
export const progressUrl = 'pipe:3';

/** Where ffmpeg writes an output, for the argv: the first to its stdout. */
export function outputUrl(index: number): string {
  return index === 0 ? 'pipe:1' : `pipe:${index + 3}`;
}

/**
 * Starts ffmpeg with `args`: what it writes to each {@link outputUrl} goes to the listener of that index, what it writes to
 * {@link progressUrl} to `onProgress`.
 *
 * ffmpeg cannot outlive this process by much: its stdin and its outputs are pipes of ours, and an end of input, or writing to
 * a closed pipe, ends it. A path that cannot be started ends at once, with the reason as its stderr; so does one for which the
 * system has no memory or file descriptors left.
 */
export function startFfmpeg(
  path: string,
  args: readonly string[],
  { onOutput, onProgress }: { onOutput: readonly ((bytes: Buffer) => void)[]; onProgress: (progress: FfmpegProgress) => void },
): FfmpegProcess {
  const [, ...furtherOutputs] = onOutput;
  let child: ChildProcess;
  try {
    child = spawn(path, args, {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...furtherOutputs.map(() => 'pipe' as const)],
      windowsHide: true,
    });
  } catch (error) {
    return describeUnstarted(Promise.resolve(error));
  }
  const stdio = child.stdio as readonly [Writable, Readable, Readable, Readable, ...Readable[]] | undefined;
  // Without a file descriptor left there are no pipes, whatever the types say, and the error comes later.
  if (stdio === undefined) return describeUnstarted(new Promise((resolve) => child.once('error', resolve)));
  const [input, output, errors, progressPipe, ...furtherPipes] = stdio;
  const stderr: string[] = [];
  const keep = (line: string) => {
    stderr.push(line);
    if (stderr.length > stderrLines) stderr.shift();
  };
  const progress = new FfmpegProgressReader();
  let isFaulty = false;
  /** A listener that throws will throw again: its ffmpeg is ended, and nobody else feels it. */
  const tell = (listener: () => void) => {
    if (isFaulty) return;
    try {
      listener();
    } catch (error) {
      isFaulty = true;
      reportFault(error, 'taking what ffmpeg wrote');
      keep('Tallylight could not take what ffmpeg wrote.');
      child.kill('SIGKILL');
    }
  };
  for (const [index, pipe] of [output, ...furtherPipes].entries()) {
    pipe.on('data', (bytes: Buffer) => tell(() => onOutput[index]?.(bytes)));
  }
  createInterface({ input: errors }).on('line', keep);
  progressPipe.setEncoding('utf8').on('data', (text: string) => {
    for (const block of progress.push(text)) tell(() => onProgress(block));
  });
  input.on('error', () => {});

  const ended = new Promise<FfmpegEnd>((resolve) => {
    child.on('error', (error) => {
      keep(error.message);
      if (child.pid === undefined) resolve({ exitCode: null, killedBy: null, stderr });
    });
    child.on('close', (exitCode, killedBy) => resolve({ exitCode, killedBy, stderr }));
  });

  return {
    pid: child.pid,
    input,
    ended,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      input.write('q');
      const kill = setTimeout(() => child.kill('SIGKILL'), quitGraceMs);
      const end = await ended;
      clearTimeout(kill);
      return end;
    },
  };
}

/** An ffmpeg that never was: it takes its input and ends with the reason. */
function describeUnstarted(reason: Promise<unknown>): FfmpegProcess {
  const ended = reason.then((error) => ({
    exitCode: null,
    killedBy: null,
    stderr: [error instanceof Error ? error.message : String(error)],
  }));
  const input = new Writable({ write: (_bytes, _encoding, done) => done() });
  return { pid: undefined, input, ended, stop: () => ended, kill() {} };
}
