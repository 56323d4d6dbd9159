import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { Shortage } from '../../shared/model/shortage.ts';
import { reportFault } from '../lib/faults.ts';
import { killWithPipes } from '../lib/kill-child.ts';
import { LineReader } from '../lib/line-reader.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { spawnPausable } from '../lib/spawn-pausable.ts';
import { type FfmpegProgress, FfmpegProgressReader } from './ffmpeg-progress.ts';
import { findShortage, findThreadShortage } from './shortage.ts';

/**
 * The pause between two reads of ffmpeg's log, in milliseconds: ffmpeg writes each line in many small pieces, and each would wake this
 * process.
 */
const logPauseMs = 25;
/** How many of the last stderr lines are kept for the error. */
const stderrLines = 40;
/** How long ffmpeg may take to end after its input. */
const quitGraceMs = 1_500;

/** How an ffmpeg ended, with its last stderr lines, oldest first. */
export interface FfmpegEnd {
  exitCode: number | null;
  killedBy: NodeJS.Signals | null;
  stderr: string[];
  /** Why it couldn't be started, where the system had too little of something. */
  shortage?: Shortage;
}

/** The end of an ffmpeg that could not be started. */
function describeNoStart(error: unknown, stderr: string[]): FfmpegEnd {
  const shortage = findShortage(error);
  return { exitCode: null, killedBy: null, stderr, ...(shortage !== undefined && { shortage }) };
}

/** Why ffmpeg ended, from its exit. */
export function explainExit({ exitCode, killedBy, shortage }: Omit<FfmpegEnd, 'stderr'>): EncodeFailure {
  if (killedBy !== null) return { code: 'killed', signal: killedBy };
  if (exitCode !== null && shortage === undefined) return { code: 'exited', exitCode };
  return { code: 'not-started', ...(shortage !== undefined && { shortage }) };
}

/** One running ffmpeg; single use. */
export interface FfmpegProcess {
  /** Undefined if ffmpeg could not be started. */
  readonly pid: number | undefined;
  /** ffmpeg's stdin. Writing after ffmpeg has ended is not an error. */
  readonly input: Writable;
  /** Pauses the first output: ffmpeg waits once the pipe is full. All output arrives before `ended`, unless ffmpeg is killed. */
  readonly output: Pick<Readable, 'pause' | 'resume'>;
  /** Resolves, never rejects, when ffmpeg and its pipes have ended, or 2 s after it was killed, though a driver may keep it running. */
  readonly ended: Promise<FfmpegEnd>;
  /** Ends its input, kills after 1.5 s; resolves when ffmpeg has ended. */
  finish(): Promise<FfmpegEnd>;
  /** Kills ffmpeg at once; output that we have not read yet is lost. */
  kill(): void;
}

/** The URL to which ffmpeg writes `-progress`. */
export const progressUrl = 'pipe:3';

/** The URL of an output in ffmpeg's argv; the first output is stdout. */
export function outputUrl(index: number): string {
  return index === 0 ? 'pipe:1' : `pipe:${index + 3}`;
}

export interface FfmpegListeners {
  onOutput: readonly ((bytes: Buffer) => void)[];
  onProgress: (progress: FfmpegProgress) => void;
  /** Called with each line of the log; returns whether it has used the line. Unused lines are kept for the error. */
  takeLogLine?: (line: string) => boolean;
}

/**
 * Starts ffmpeg with `args`. Bytes written to each {@link outputUrl} go to the listener with that index, progress written to
 * {@link progressUrl} to `onProgress`.
 *
 * ffmpeg cannot outlive this process by much: its stdin and outputs are our pipes, and end of input or a write to a closed pipe
 * ends it. If the path cannot be started, or the system has no memory or file descriptors left, `ended` resolves at once with the
 * reason as stderr.
 */
export function startFfmpeg(
  path: string,
  args: readonly string[],
  { onOutput, onProgress, takeLogLine = () => false }: FfmpegListeners,
): FfmpegProcess {
  const [, ...furtherOutputs] = onOutput;
  let child: ChildProcess;
  try {
    child = spawnPausable(path, args, {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...furtherOutputs.map(() => 'pipe' as const)],
      windowsHide: true,
    });
  } catch (error) {
    return standInForUnstarted(Promise.resolve(error));
  }
  const stdio = child.stdio as readonly [Writable, Readable, Readable, Readable, ...Readable[]] | undefined;
  // Without free file descriptors there are no pipes, despite the types; the error event follows.
  if (stdio === undefined) return standInForUnstarted(new Promise((resolve) => child.once('error', resolve)));
  const [input, output, errors, progressPipe, ...furtherPipes] = stdio;
  const { promise: ended, resolve } = Promise.withResolvers<FfmpegEnd>();
  const stderr: string[] = [];
  const keep = (line: string) => {
    stderr.push(line);
    if (stderr.length > stderrLines) stderr.shift();
  };
  const kill = () =>
    killWithPipes(child, (fault) => {
      keep(fault);
      resolve({ exitCode: null, killedBy: 'SIGKILL', stderr });
    });
  const progress = new FfmpegProgressReader();
  let isFaulty = false;
  /** A listener that throws would throw again, so its ffmpeg is killed; everything else continues. */
  const tell = (listener: () => void) => {
    if (isFaulty) return;
    try {
      listener();
    } catch (error) {
      isFaulty = true;
      reportFault(error, 'handling ffmpeg output');
      keep('Tallylight could not handle the ffmpeg output.');
      kill();
    }
  };
  for (const [index, pipe] of [output, ...furtherPipes].entries()) {
    pipe.on('data', (bytes: Buffer) => tell(() => onOutput[index]?.(bytes)));
  }
  const logLines = new LineReader();
  const readLog = (lines: readonly string[]) => {
    for (const line of lines) {
      let isTaken = false;
      tell(() => {
        isTaken = takeLogLine(line);
      });
      if (!isTaken) keep(line);
    }
  };
  errors.setEncoding('utf8').on('data', (text: string) => {
    readLog(logLines.push(text));
    errors.pause();
    setTimeout(() => errors.resume(), logPauseMs);
  });
  errors.once('end', () => readLog(logLines.end()));
  progressPipe.setEncoding('utf8').on('data', (text: string) => {
    for (const block of progress.push(text)) tell(() => onProgress(block));
  });
  input.on('error', () => {});

  child.on('error', (error) => {
    keep(error.message);
    if (child.pid === undefined) resolve(describeNoStart(error, stderr));
  });
  child.on('close', (exitCode, killedBy) => resolve({ exitCode, killedBy, stderr, ...findThreadShortage(stderr) }));

  return {
    pid: child.pid,
    input,
    output,
    ended,
    kill,
    async finish() {
      input.end();
      const timer = setTimeout(kill, quitGraceMs);
      const end = await ended;
      clearTimeout(timer);
      return end;
    },
  };
}

/** Stands in for an ffmpeg that could not be started: it accepts input and ends with the reason. */
function standInForUnstarted(reason: Promise<unknown>): FfmpegProcess {
  const ended = reason.then((error) => describeNoStart(error, [sentenceOf(error)]));
  const input = new Writable({ write: (_bytes, _encoding, done) => done() });
  return { pid: undefined, input, output: Readable.from([]), ended, finish: () => ended, kill() {} };
}
