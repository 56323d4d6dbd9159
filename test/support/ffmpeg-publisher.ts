import { spawn } from 'node:child_process';
import { killChild } from '../../src/service/lib/kill-child.ts';

/**
 * Makes a publisher's tone a square wave (ffmpeg's `-af`): its decoded edges are over 0 dBTP all the time. With a tone,
 * only the start is.
 */
export const clipping = 'aformat=sample_fmts=s16,volume=40dB:precision=fixed';

/** A real ffmpeg that publishes the test pattern with a keyframe every second, until it is ended or for some `seconds`. */
export function startFfmpegPublisher(
  url: string,
  {
    seconds,
    rate = 15,
    args = [],
    ffmpeg = 'ffmpeg',
  }: {
    seconds?: number;
    /** Frames per second. A page takes processor time for each. */
    rate?: number;
    args?: readonly string[];
    ffmpeg?: string;
  } = {},
) {
  const child = spawn(
    ffmpeg,
    [
      ...['-hide_banner', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${rate}`],
      ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'],
      ...(seconds === undefined ? [] : ['-t', String(seconds)]),
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', String(rate), '-b:v', '300k'],
      ...['-c:a', 'aac', '-b:a', '64k', ...args, '-f', 'flv', url],
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
