import { type FfmpegEnd, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import { toStereo } from '../media-tools/to-stereo.ts';
import type { FeedFormat, PictureSize } from './feed-format.ts';
import { sampleRate } from './feed-format.ts';
import { fileInput } from './file-input.ts';

/** Errors alone: they say why a capture ends. */
const quiet = ['-hide_banner', '-loglevel', 'error', '-nostats'];

/**
 * Keeps the whole picture, with bars if its aspect ratio differs. Makes it limited range, since newer ffmpegs keep the picture's own range,
 * and its pixels square, which those of DVDs and tapes are not.
 */
function fitFilters({ width, height }: PictureSize, toHdColours: PictureOptions['toHdColours']): string[] {
  const [w, h] = [`min(${width},max(2,round(${height}*dar)))`, `min(${height},max(2,round(${width}/dar)))`];
  return [
    `scale=w='${w}':h='${h}':out_range=tv${toHdColours === undefined ? '' : colourOptions[toHdColours]}`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    'format=yuv420p',
  ];
}

/**
 * A filter that removes jumps of more than a second from the timestamps. On X11 and Windows, screens are stamped by the wall clock
 * (FFmpeg's xcbgrab.c and gdigrab.c), which jumps by hours when it is set or the computer sleeps. After a jump forward ffmpeg would first
 * send a copy of the last picture for each skipped frame; after one back, nothing until the clock has caught up.
 */
export const withoutJumps = 'setpts=PTS-st(0\\,ld(0)+if(gt(abs(PTS-PREV_INPTS)\\,1/TB)\\,PTS-PREV_INPTS))';

/** Options of the filter `scale`. With the same matrix on both sides, pictures that aren't RGB keep their values. */
const colourOptions = { all: ':out_color_matrix=bt709', rgb: ':in_color_matrix=bt709:out_color_matrix=bt709' } as const;

interface PictureOptions {
  filters?: readonly string[];
  /**
   * Which pictures are converted to HD's colours (ITU-R BT.709), which the broadcast declares: `all` if ffmpeg knows their colours, or
   * only `rgb`. For a file that doesn't state its colours, ffmpeg would assume SD's, while most such files are HD.
   */
  toHdColours?: 'all' | 'rgb' | undefined;
}

/** The whole argv of a capture of pictures: raw I420 on stdout, `fps` of them a second. */
export function capturePictureArgs(
  input: readonly string[],
  { width, height, fps }: FeedFormat,
  { filters = [], toHdColours }: PictureOptions = {},
): string[] {
  return [
    ...[...quiet, ...input, '-map', '0:v:0', '-an', '-sn', '-dn'],
    ...['-vf', [...filters, ...fitFilters({ width, height }, toHdColours)].join(','), '-r', String(fps)],
    ...['-f', 'rawvideo', 'pipe:1'],
  ];
}

/** The whole argv of a still image. Images are RGB, or name their colours, or have those that ffmpeg assumes. */
export function stillArgs(path: string, format: FeedFormat): string[] {
  return capturePictureArgs(fileInput(path), format, { filters: ['trim=end_frame=1'], toHdColours: 'all' });
}

/** The whole argv of a song's cover; ffmpeg fails for a file that has video but no cover. */
export function coverArgs(path: string, format: FeedFormat): string[] {
  return stillArgs(path, format).toSpliced(-1, 0, '-map', '-0:V');
}

/** The whole argv of a capture of sound: s16, stereo, 48 kHz on stdout. */
export function captureSoundArgs(input: readonly string[]): string[] {
  return [...decodeSound(input, [toStereo]), '-f', 's16le', 'pipe:1'];
}

/**
 * The whole argv of a capture of sound with its times, in Matroska. ffmpeg fills gaps in the sound, but not the time before it: where the
 * channels or the sample rate change, as in recordings of TV, ffmpeg restarts its filters and would fill that time again.
 */
export function timedSoundArgs(input: readonly string[]): string[] {
  return [
    ...decodeSound(input, [toStereo, 'aresample=async=1']),
    ...['-c:a', 'pcm_s16le', '-map_metadata', '-1', '-map_chapters', '-1', '-f', 'matroska', 'pipe:1'],
  ];
}

/** Endings of MPEG-TS, MPEG-PS and Ogg, in which ffmpeg takes a jump of the timestamps for a new beginning (`AVFMT_TS_DISCONT`). */
const jumpingEndings = /\.(m?ts|m2ts|m2t|mpe?g|vob|og[agmv])$/i;

/**
 * Adds to the argv for one track of a file that the other track is read, too. In recordings of TV one track begins up to seconds before
 * the other. An ffmpeg that reads one track alone would begin at that track's first timestamp and follow its jumps, so picture and sound
 * would be out of sync.
 */
export function keepTracksTogether(args: readonly string[], path: string): readonly string[] {
  return jumpingEndings.test(path) ? [...args, '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy', '-f', 'null', '-'] : args;
}

function decodeSound(input: readonly string[], filters: readonly string[]): string[] {
  return [
    ...[...quiet, ...input, '-map', '0:a:0', '-vn', '-sn', '-dn'],
    ...['-af', filters.join(','), '-ar', String(sampleRate)],
  ];
}

/** An ffmpeg that captures. Single use. */
export interface CaptureRun {
  /** Stops reading its output, which also pauses its input if that can wait. */
  pause(): void;
  resume(): void;
  readonly ended: Promise<FfmpegEnd>;
  /** Kills it at once; no more output follows. */
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
      // Kill, since ffmpeg may hang in its device or wait for us to read.
      process.kill();
      process.output.resume();
      await process.ended;
    },
  };
}
