import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';

const run = promisify(execFile);

/** The file's content: 720p at 30 fps, H.264 with B-frames by default, and AAC. */
const videoBitrateBps = 2_500_000;
const audioBitrateBps = 128_000;
const fps = 30;

interface MediaFileOptions {
  seconds: number;
  gopSeconds: number;
  bFrames: number;
}

const made = new Map<string, Promise<string>>();

/** The path of an FLV file to publish, created at the first call and then shared. Noise keeps the encoder at its bitrate. */
export function makeMediaFile(folder: string, options: MediaFileOptions): Promise<string> {
  const file = join(folder, `${options.seconds}-s-gop-${options.gopSeconds}-b-${options.bFrames}.flv`);
  const making = made.get(file) ?? encode(file, options);
  made.set(file, making);
  return making;
}

async function encode(file: string, { seconds, gopSeconds, bFrames }: MediaFileOptions): Promise<string> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  const gop = String(gopSeconds * fps);
  const bitrate = String(videoBitrateBps);
  await run(ffmpeg.path, [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin'],
    ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${fps},noise=alls=24:allf=t`],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', String(seconds)],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-pix_fmt', 'yuv420p', '-b:v', bitrate, '-maxrate', bitrate],
    ...['-bufsize', bitrate, '-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-bf', String(bFrames)],
    ...['-c:a', 'aac', '-b:a', String(audioBitrateBps), '-ac', '2', '-f', 'flv', file],
  ]);
  return file;
}
