import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sampleRate, samplesBefore } from '../../src/service/capture/feed-format.ts';
import { FilePlayer, type FilePlayerOptions } from '../../src/service/capture/file-player.ts';
import { countCombs } from '../support/count-combs.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';

const format = { width: 32, height: 18, fps: 10 };

const ffmpegs = [
  ['the usual ffmpeg', async () => (await getFfmpeg()).path],
  ['ffmpeg 9', async () => getNewerFfmpeg()],
] as const;

let folder: string;
/** Like a recording of TV: after 2 s in 4:3 with sound in stereo, 2 s in 16:9 with surround sound. */
let recording: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odd-files-'));
  const parts = await Promise.all(
    [
      { atSeconds: 0, size: '64x48', channels: 2 },
      { atSeconds: 2, size: '64x36', channels: 6 },
    ].map(async ({ atSeconds, size, channels }) => {
      const path = join(folder, `from ${atSeconds}.ts`);
      const inputs = ['-f', 'lavfi', '-i', `color=white:size=${size}:rate=25`, '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
      const codecs = ['-c:v', 'mpeg2video', '-c:a', 'ac3', '-ac', String(channels)];
      await runFfmpeg(['-v', 'error', ...inputs, '-t', '2', ...codecs, '-output_ts_offset', String(atSeconds), path]);
      return readFile(path);
    }),
  );
  recording = join(folder, 'recording.ts');
  await writeFile(recording, Buffer.concat(parts));
});

/** Plays a file to its end, at twice its pace; returns its sound. `onPicture` is called with each picture. */
async function play({
  onPicture,
  ...options
}: Pick<FilePlayerOptions, 'paths' | 'ffmpegPath' | 'format'> & { onPicture?: () => void }): Promise<Int16Array> {
  const player = new FilePlayer({ loops: false, ...options });
  onTestFinished(() => player.close());
  await player.settled;
  const sounds: Int16Array[] = [];
  const fps = options.format?.fps ?? 10;
  while (player.fault?.code !== 'ended') {
    const picture = options.format && player.takePicture();
    if (picture) onPicture?.();
    picture?.release();
    const sound = new Int16Array(2 * samplesBefore(1, fps));
    // What comes too late on a busy computer is left out, and the rest keeps its time.
    player.takeSound(sound);
    sounds.push(sound);
    await sleep(500 / fps);
  }
  return Int16Array.from(sounds.flatMap((sound) => [...sound]));
}

/** Where the first sample is that is heard, in seconds. */
const silentSeconds = (sound: Int16Array) => sound.findIndex((sample) => Math.abs(sample) > 300) / 2 / sampleRate;

test.each(ffmpegs)(
  'sound that changes its channels plays on, without what came before it as silence: %s',
  async (_name, find) => {
    const sound = await play({ ffmpegPath: await find(), paths: [recording], format: undefined });
    expect(sound.length / 2 / sampleRate).toBeCloseTo(4, 0);
    expect(sound.subarray(2 * sampleRate * 2.2, 2 * sampleRate * 3.8).some((sample) => Math.abs(sample) > 300)).toBe(true);
  },
);

test.each(ffmpegs)('sound that begins later than its picture is silent until then: %s', async (_name, find) => {
  const path = join(folder, 'late sound.mkv');
  const sine = ['-itsoffset', '1.5', '-f', 'lavfi', '-i', 'sine=sample_rate=44100:duration=1'];
  const picture = ['-f', 'lavfi', '-i', 'color=white:size=64x36:rate=25:duration=3'];
  await runFfmpeg(['-v', 'error', '-y', ...sine, ...picture, '-c:v', 'mpeg4', '-c:a', 'pcm_s16le', path]);
  const sound = await play({ ffmpegPath: await find(), paths: [path], format: undefined });
  expect(silentSeconds(sound)).toBeCloseTo(1.5, 1);
  expect(sound.length / 2 / sampleRate).toBeCloseTo(2.5, 0);
});

/** A recording whose sound and picture begin at different times, as of TV that was joined while it ran. */
async function record(ending: string, late: 'sound' | 'picture'): Promise<string> {
  const path = join(folder, `late ${late}.${ending}`);
  const offset = (of: string) => (of === late ? ['-itsoffset', '1.5'] : []);
  const picture = [...offset('picture'), '-f', 'lavfi', '-i', 'color=white:size=64x36:rate=25:duration=3'];
  const sine = [...offset('sound'), '-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=3'];
  await runFfmpeg(['-v', 'error', '-y', ...picture, ...sine, '-c:v', 'mpeg2video', '-c:a', 'mp2', path]);
  return path;
}

describe.each(ffmpegs)('a recording of TV whose tracks begin at different times, with %s', (_name, find) => {
  test.each(['ts', 'mpg'])('is silent until its sound begins: %s', async (ending) => {
    const sound = await play({ ffmpegPath: await find(), paths: [await record(ending, 'sound')], format: undefined });
    expect(silentSeconds(sound)).toBeCloseTo(1.5, 1);
  });

  test.each(['ts', 'mpg'])('has pictures from the beginning of its sound: %s', async (ending) => {
    let pictures = 0;
    await play({
      ffmpegPath: await find(),
      paths: [await record(ending, 'picture')],
      format: { width: 64, height: 36, fps: 25 },
      onPicture: () => {
        pictures += 1;
      },
    });
    expect(pictures / 25).toBeGreaterThan(4.2);
  });
});

/** Empties the packets of one track of an MPEG-TS file (ISO/IEC 13818-1, 2.4.3.2): it is announced, and never comes. */
async function emptyTrack(path: string, pid: number): Promise<string> {
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at += 188) {
    if ((bytes.readUInt16BE(at + 1) & 0x1fff) === pid) bytes.writeUInt16BE(0x1fff, at + 1);
  }
  const emptied = path.replace(/\.ts$/, ` without ${pid}.ts`);
  await writeFile(emptied, bytes);
  return emptied;
}

describe.each(ffmpegs)('a recording of TV with a track that is announced and never comes, with %s', (_name, find) => {
  const [videoPid, audioPid] = [0x100, 0x101];

  test('has its picture without the sound', async () => {
    const path = await emptyTrack(await record('ts', 'sound'), audioPid);
    const player = new FilePlayer({ ffmpegPath: await find(), paths: [path], loops: false, format });
    onTestFinished(() => player.close());
    await player.settled;
    const picture = player.takePicture();
    expect(picture?.bytes[0]).toBe(235);
    picture?.release();
  });

  test('has its sound without the picture', async () => {
    const path = await emptyTrack(await record('ts', 'picture'), videoPid);
    const sound = await play({ ffmpegPath: await find(), paths: [path], format: undefined });
    expect(sound.length / 2 / sampleRate).toBeCloseTo(3, 0);
    expect(silentSeconds(sound)).toBeCloseTo(0, 1);
  });
});

test.skipIf(process.platform === 'win32')('a picture that changes its size costs no more than any other', async () => {
  const reports = await mkdtemp(join(tmpdir(), 'reports-'));
  // At the level "verbose", ffmpeg's filter says how many pictures it has put out.
  const ffmpegPath = await makeOddFfmpeg(`export FFREPORT="file=${reports}/$$.log:level=40"`);
  await play({ ffmpegPath, paths: [recording], format });
  const logs = await Promise.all((await readdir(reports)).map((name) => readFile(join(reports, name), 'utf8')));
  const counts = [...logs.join('\n').matchAll(/frames in, (\d+) frames out/g)].map(([, count]) => Number(count));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(30);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(45);
});

test.each(ffmpegs)('an interlaced picture has no combs: %s', async (_name, find) => {
  const path = join(folder, 'interlaced.mkv');
  // A white bar that moves by 8 pixels from each half of a picture to the next.
  const bar = "[0][1]overlay=x='mod(t*400,280)',tinterlace=interleave_top,setfield=tff";
  const inputs = ['black:size=320x240', 'white:size=40x240'].flatMap((what) => ['-f', 'lavfi', '-i', `color=${what}:rate=50`]);
  await runFfmpeg(['-v', 'error', '-y', ...inputs, '-filter_complex', bar, '-t', '1', '-c:v', 'ffv1', path]);
  const size = { width: 320, height: 240 };
  const player = new FilePlayer({ ffmpegPath: await find(), paths: [path], loops: false, format: { ...size, fps: 25 } });
  onTestFinished(() => player.close());
  await player.settled;
  const picture = player.takePicture();
  const { bytes } = picture ?? { bytes: Buffer.alloc(0) };
  expect(bytes).toHaveLength((size.width * size.height * 3) / 2);
  expect(countCombs(bytes, size)).toBe(0);
  picture?.release();
});

test.each(ffmpegs.flatMap(([name, find]) => [0, 1].map((startAtSeconds) => [name, startAtSeconds, find] as const)))(
  'the cover of a song is shown as long as that plays, and that is no fault: %s, from second %i',
  async (_name, startAtSeconds, find) => {
    const [cover, path] = [join(folder, 'cover.png'), join(folder, 'song.mp3')];
    await runFfmpeg(['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=white:size=64x36', '-frames:v', '1', cover]);
    const inputs = ['-f', 'lavfi', '-i', 'sine=duration=3', '-i', cover, '-map', '0', '-map', '1'];
    await runFfmpeg(['-v', 'error', '-y', ...inputs, '-c:v', 'copy', '-disposition:v', 'attached_pic', path]);
    const player = new FilePlayer({ ffmpegPath: await find(), paths: [path], loops: false, format, startAtSeconds });
    onTestFinished(() => player.close());
    await player.settled;
    const told = new Set<string>();
    while (player.soundFault === undefined) {
      const picture = player.takePicture();
      player.takeSound(new Int16Array(2 * samplesBefore(1, format.fps)));
      told.add(`${picture?.bytes[0] ?? 'black'}, ${player.fault?.code ?? 'fine'}`);
      picture?.release();
      await sleep(500 / format.fps);
    }
    // The very last frame finds it over.
    expect([...told]).toEqual(['235, fine', 'black, ended']);
  },
);
