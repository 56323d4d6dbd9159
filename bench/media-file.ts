import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';

const run = promisify(execFile);

/** What the file holds: 720p at 30 fps, H.264 with B-frames unless told otherwise, and AAC. */
export const videoBitrateBps = 2_500_000;
const audioBitrateBps = 128_000;
const fps = 30;

/** Makes an FLV file to publish and returns its path. Noise keeps the encoder at its bitrate. */
export async function makeMediaFile(
  folder: string,
  { seconds, gopSeconds, bFrames }: { seconds: number; gopSeconds: number; bFrames: number },
): Promise<string> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(ffmpeg.sentence);
  const file = join(folder, `${seconds}-s-gop-${gopSeconds}-b-${bFrames}.flv`);
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
