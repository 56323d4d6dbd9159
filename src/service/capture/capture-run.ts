import { type FfmpegEnd, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { FeedFormat } from './feed-format.ts';
import { sampleRate } from './feed-format.ts';

/** Errors alone: they say why a capture ends. */
const quiet = ['-hide_banner', '-loglevel', 'error', '-nostats'];

/** Keeps the whole picture, with bars where its shape differs. */
function fitFilters({ width, height }: Pick<FeedFormat, 'width' | 'height'>): string[] {
  return [
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    'format=yuv420p',
  ];
}

/** The whole argv of a capture of pictures: raw I420 on stdout, `fps` of them a second. */
export function pictureArgs(
  input: readonly string[],
  { width, height, fps }: FeedFormat,
  filters: readonly string[] = [],
): string[] {
  return [
    ...[...quiet, ...input, '-map', '0:v:0', '-an', '-sn', '-dn'],
    ...['-vf', [...filters, ...fitFilters({ width, height })].join(','), '-r', String(fps)],
    ...['-f', 'rawvideo', 'pipe:1'],
  ];
}

/** The whole argv of a capture of sound: s16, stereo, 48 kHz on stdout. */
export function soundArgs(input: readonly string[], filters?: string): string[] {
  return [
    ...[...quiet, ...input, '-map', '0:a:0', '-vn', '-sn', '-dn'],
    ...(filters === undefined ? [] : ['-af', filters]),
    ...['-ar', String(sampleRate), '-ac', '2', '-f', 's16le', 'pipe:1'],
  ];
}

/** An ffmpeg that captures. Single use. */
export interface CaptureRun {
  /** Holds its output back, and so its input, if that can wait. */
  pause(): void;
  resume(): void;
  readonly ended: Promise<FfmpegEnd>;
  /** Ends it at once; nothing comes any more. */
  stop(): Promise<void>;
}

/** Starts an ffmpeg whose raw output goes to `onBytes`. */
export function startCaptureRun(ffmpegPath: string, args: readonly string[], onBytes: (bytes: Buffer) => void): CaptureRun {
  let isStopped = false;
  const process = startFfmpeg(ffmpegPath, args, {
    onOutput: [
      (bytes) => {
        if (!isStopped) onBytes(bytes);
      },
    ],
    onProgress() {},
  });
  return {
    pause() {
      process.output.pause();
    },
    resume() {
      process.output.resume();
    },
    ended: process.ended,
    async stop() {
      isStopped = true;
      // It may hang in its device, or wait for us to read.
      process.kill();
      process.output.resume();
      await process.ended;
    },
  };
}
