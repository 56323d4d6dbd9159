import { spawn } from 'node:child_process';
import { FlvReader, formatFlvHeader, formatFlvTag } from '../../src/service/flv/flv-file.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { getFfmpeg } from './get-ffmpeg.ts';
import { makeOnce } from './make-once.ts';

/** Runs a program to its end with this input; its output goes to `onOutput` as it arrives. Returns its stderr. */
async function runProgram(
  path: string,
  args: readonly string[],
  { input, onOutput }: { input?: Buffer; onOutput: (bytes: Buffer) => void },
): Promise<{ exitCode: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: 'pipe' });
    let stderr = '';
    child.stdout.on('data', onOutput);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // Ignore the error of a program that has read enough and closes its stdin.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stderr }));
  });
}

/** Runs the ffmpeg that the service would use. Returns its output too. */
export async function runFfmpeg(args: readonly string[], input?: Buffer) {
  const pieces: Buffer[] = [];
  const { path } = await getFfmpeg();
  const end = await runProgram(path, args, { ...(input && { input }), onOutput: (bytes) => pieces.push(bytes) });
  return { ...end, output: Buffer.concat(pieces) };
}

/** ffmpeg's output for these arguments as FLV tags; made once per run. */
export async function encodeFlv(args: readonly string[]): Promise<FlvTag[]> {
  return new FlvReader().push(await encodeFlvFile(args));
}

/** ffmpeg's output for these arguments as an FLV file; made once per run. */
export async function encodeFlvFile(args: readonly string[]): Promise<Buffer> {
  const { path } = await getFfmpeg();
  return makeOnce([path, ...args], async () => {
    const { exitCode, stderr, output } = await runFfmpeg(['-v', 'error', ...args, '-f', 'flv', '-']);
    if (exitCode !== 0) throw new Error(`ffmpeg failed: ${stderr}`);
    return output;
  });
}

/** Decodes everything at a URL, or `input` when it is `-`, and returns ffmpeg's complaints. */
export async function decodeAll(url: string, input?: Buffer): Promise<{ exitCode: number | null; stderr: string }> {
  // Keep each picture's own time, not the rate of the first ones, which may be held pictures.
  const times = ['-fps_mode', 'passthrough', '-enc_time_base:v', '1:90000'];
  const { exitCode, stderr } = await runFfmpeg(
    ['-v', 'error', '-xerror', '-i', url, '-map', '0', ...times, '-f', 'null', '-'],
    input,
  );
  return { exitCode, stderr };
}

/** A stream as ffmpeg decodes it from a URL: its codec and frame count. */
export interface DecodedStream {
  codec: string;
  frames: number;
}

/** Decodes every stream at a URL with this ffmpeg, and fails on any of its complaints. */
export async function decodeStreams(ffmpegPath: string, url: string): Promise<DecodedStream[]> {
  const run = async (codec: readonly string[]) => {
    let text = '';
    const args = [
      '-v',
      'error',
      '-xerror',
      '-i',
      url,
      '-map',
      '0',
      '-fps_mode',
      'passthrough',
      ...codec,
      '-f',
      'framecrc',
      '-',
    ];
    const { exitCode, stderr } = await runProgram(ffmpegPath, args, {
      onOutput: (bytes) => {
        text += bytes;
      },
    });
    if (exitCode !== 0 || stderr !== '') throw new Error(`ffmpeg failed: ${stderr}`);
    return text.split('\n');
  };
  const [copied, decoded] = [await run(['-c', 'copy']), await run([])];
  const codecs = copied.flatMap((line) => /^#codec_id \d+: (\w+)$/.exec(line)?.[1] ?? []);
  return codecs.map((codec, index) => ({ codec, frames: decoded.filter((line) => line.startsWith(`${index},`)).length }));
}

/** The brightness of each pixel of the first picture in an FLV stream, row by row. */
export async function decodeFirstPicture(flv: Buffer): Promise<Buffer> {
  const args = ['-v', 'error', '-f', 'flv', '-i', '-', '-frames:v', '1', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'];
  return (await runFfmpeg(args, flv)).output;
}

/** A stream's decoded audio: 16-bit samples, little-endian, channels interleaved. */
export async function decodeSound(tags: readonly FlvTag[]): Promise<Buffer> {
  const input = Buffer.concat([formatFlvHeader({ hasAudio: true, hasVideo: false }), ...tags.map(formatFlvTag)]);
  const args = ['-v', 'error', '-xerror', '-f', 'flv', '-i', '-', '-map', '0:a', '-f', 's16le', '-'];
  const { stderr, output } = await runFfmpeg(args, input);
  if (stderr !== '') throw new Error(`ffmpeg failed: ${stderr}`);
  return output;
}

/** Tags of audio and video as an FLV file. */
export function formatFlv(tags: readonly FlvTag[]): Buffer {
  return Buffer.concat([formatFlvHeader({ hasAudio: true, hasVideo: true }), ...tags.map(formatFlvTag)]);
}

/** The SHA-1 of each decoded picture of a stream, in display order; decoded once per run. */
export async function hashPictures(tags: readonly FlvTag[]): Promise<string[]> {
  const flv = formatFlv(tags);
  const hashes = await makeOnce(['hashes', flv], async () => Buffer.from(JSON.stringify(await hashDecoded(flv))));
  return JSON.parse(hashes.toString());
}

/** Like {@link hashPictures}, for a file of any format. */
export async function hashDecoded(input: Buffer): Promise<string[]> {
  const hashes = ['-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framehash', '-hash', 'SHA160', '-'];
  const { stderr, output } = await runFfmpeg(['-v', 'error', '-i', '-', ...hashes], input);
  if (stderr !== '') throw new Error(`ffmpeg failed: ${stderr}`);
  return output.toString().match(/[0-9a-f]{40}$/gm) ?? [];
}

/** Presentation times, in seconds, of the frames that ffprobe decodes, and its complaints. */
export async function probeFrames(url: string, input?: Buffer): Promise<{ video: number[]; audio: number[]; stderr: string }> {
  let text = '';
  const entries = ['-show_frames', '-show_entries', 'frame=media_type,pts_time', '-of', 'csv=print_section=0'];
  // ffmpeg-static has no ffprobe, so this uses the system's.
  const { stderr } = await runProgram('ffprobe', ['-v', 'error', ...entries, url], {
    ...(input && { input }),
    onOutput: (bytes) => {
      text += bytes;
    },
  });
  const frames = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const times = (kind: string) => frames.filter(([type]) => type === kind).map(([, time]) => Number(time));
  return { video: times('video'), audio: times('audio'), stderr };
}

/** Each picture of some media: a text that identifies it, and its mean brightness, 16 being black. */
export async function readPictures(media: Buffer): Promise<{ hash: string; brightness: number }[]> {
  const size = { width: 32, height: 18 };
  const scale = ['-vf', `scale=${size.width}:${size.height}`, '-pix_fmt', 'gray', '-f', 'rawvideo', '-'];
  const { output } = await runFfmpeg(['-v', 'error', '-i', '-', '-an', '-fps_mode', 'passthrough', ...scale], media);
  const bytes = size.width * size.height;
  return Array.from({ length: output.length / bytes }, (_, index) => {
    const picture = output.subarray(index * bytes, (index + 1) * bytes);
    return { hash: picture.toString('base64'), brightness: picture.reduce((sum, value) => sum + value, 0) / bytes };
  });
}

/** The peak level of a tone of this frequency in some media, in dBFS: the median over tenths of a second of its last two seconds. */
export async function measureTone(media: Buffer, hz: number): Promise<number> {
  const { output } = await runFfmpeg(['-v', 'error', '-i', '-', '-vn', '-ac', '1', '-ar', '48000', '-f', 's16le', '-'], media);
  const samples = new Int16Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length)).subarray(-96_000);
  const windowSamples = 4_800;
  const levels = Array.from({ length: 20 }, (_, window) => {
    // One bin of a Fourier transform.
    let [cosine, sine] = [0, 0];
    for (let index = 0; index < windowSamples; index += 1) {
      const sample = samples[window * windowSamples + index] ?? 0;
      const angle = (2 * Math.PI * hz * index) / 48_000;
      cosine += sample * Math.cos(angle);
      sine += sample * Math.sin(angle);
    }
    return 20 * Math.log10((2 * Math.hypot(cosine, sine)) / windowSamples / 32_768);
  });
  return levels.sort((a, b) => a - b)[10] ?? Number.NaN;
}
