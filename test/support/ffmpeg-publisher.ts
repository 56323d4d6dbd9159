import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChild } from '../../src/service/lib/kill-child.ts';
import { encodeFlvFile } from './ffmpeg.ts';

/**
 * Makes a publisher's tone a square wave (ffmpeg's `-af`): its decoded edges are over 0 dBTP all the time. With a tone,
 * only the start is.
 */
export const clipping = 'aformat=sample_fmts=s16,volume=40dB:precision=fixed';

/** Frames per second. A page takes processor time for each. */
const usualRate = 15;

/** ffmpeg's inputs for the test pattern and its tone; `-re` in real time. */
const inputPattern = (rate: number, ...pace: string[]) => [
  ...[...pace, '-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${rate}`],
  ...[...pace, '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'],
];
const encode = (rate: number) => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', String(rate), '-b:v', '300k'],
  ...['-c:a', 'aac', '-b:a', '64k'],
];

/**
 * Over a minute of the usual broadcast, encoded once per run: sending it takes a third of the processor time of encoding it live. It
 * lasts a whole number of AAC frames, without the one that ffmpeg adds to begin with, so that each repetition follows without a gap or an
 * overlap.
 */
const recordedSeconds = 64;
const recordedAudioFrames = (recordedSeconds * 48_000) / 1_024;
const recording = join(tmpdir(), `publisher-${process.pid}.flv`);
const length = ['-t', String(recordedSeconds), '-frames:a', String(recordedAudioFrames)];
await writeFile(recording, await encodeFlvFile([...inputPattern(usualRate), ...length, ...encode(usualRate)]));

/** A real ffmpeg that publishes the test pattern with a keyframe every second, until it is ended or for some `seconds`. */
export function startFfmpegPublisher(
  url: string,
  {
    seconds,
    rate = usualRate,
    args = [],
    ffmpeg = 'ffmpeg',
  }: {
    seconds?: number;
    rate?: number;
    args?: readonly string[];
    ffmpeg?: string;
  } = {},
) {
  const isUsual = rate === usualRate && args.length === 0 && ffmpeg === 'ffmpeg';
  const child = spawn(
    ffmpeg,
    [
      ...['-hide_banner', '-loglevel', 'error'],
      ...(isUsual ? ['-re', '-stream_loop', '-1', '-i', recording] : inputPattern(rate, '-re')),
      ...(seconds === undefined ? [] : ['-t', String(seconds)]),
      ...(isUsual ? ['-c', 'copy'] : [...encode(rate), ...args]),
      ...['-f', 'flv', url],
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ exitCode: number | null; stderr: string }>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, stderr }));
  });
  const end = (how: () => void) => {
    how();
    return ended;
  };
  return {
    ended,
    /** Stops it as a user would. */
    quit: () => end(() => child.stdin.write('q')),
    /** Suspends it: it stays connected and sends nothing. */
    pause: () => void killChild(child, 'SIGSTOP'),
    /** Lets it continue. */
    resume: () => void killChild(child, 'SIGCONT'),
    /** Kills it, as a crash would. */
    kill: () => end(() => killChild(child, 'SIGKILL')),
    [Symbol.asyncDispose]: () => end(() => killChild(child, 'SIGKILL')).then(() => {}),
  };
}
