import { execFile } from 'node:child_process';
import { link, mkdtemp, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setInterval, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { sampleRate, samplesBefore } from '../../src/service/capture/feed-format.ts';
import { FilePlayer, type FilePlayerOptions } from '../../src/service/capture/file-player.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { isLate } from '../support/is-late.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';

const run = promisify(execFile);
const format = { width: 32, height: 18, fps: 10 };
const white = 'color=white:size=64x36:rate=25';
const grey = 'color=gray:size=64x36:rate=30';
const tone = 'sine=frequency=440:sample_rate=44100,volume=18dB';

let folder: string;
let files: Record<'whiteLoud' | 'greySilent' | 'loudAlone' | 'musicAlone' | 'flash' | 'cut' | 'broken', string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'player-'));
  const make = async (name: string, seconds: number, inputs: readonly string[]) => {
    const path = join(folder, name);
    const sources = inputs.flatMap((input) => ['-f', 'lavfi', '-i', input]);
    await run('ffmpeg', ['-v', 'error', ...sources, '-t', String(seconds), '-c:v', 'mpeg4', '-c:a', 'pcm_s16le', path]);
    return path;
  };
  files = {
    whiteLoud: await make('-white.mkv', 2, [white, tone]),
    greySilent: await make('grey: b.mkv', 1, [grey]),
    loudAlone: await make('music.mkv', 1, [tone]),
    musicAlone: await make('music of two seconds.mkv', 2, [tone.replace('44100', '48000')]),
    flash: await make('flash.mkv', 0.04, [white]),
    cut: await make('cut.mkv', 1, [white, tone]),
    broken: join(folder, 'broken.mkv'),
  };
  const { size } = await stat(files.cut);
  await truncate(files.cut, Math.round(size * 0.6));
  await writeFile(files.broken, 'no media');
});

/** What plays, frame by frame: its brightness (– is none), whether it is heard, and the faults. Runs of the same are counted. */
async function play(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: Partial<FilePlayerOptions> & Pick<FilePlayerOptions, 'paths'>,
  frames: number,
): Promise<string[]> {
  const { path } = await getFfmpeg();
  const player = new FilePlayer({ ffmpegPath: path, format, loops: false, ...options });
  onTestFinished(() => player.close());
  await player.settled;
  const runs: { text: string; frames: number }[] = [];
  for (let frame = 0; frame < frames; ) {
    const picture = player.takePicture();
    const sound = new Int16Array(samplesBefore(1, format.fps) * 2);
    player.takeSound(sound);
    const brightness = picture === undefined ? '–' : picture.bytes[0] === 235 ? 'white' : 'grey';
    picture?.release();
    const faults = [player.fault?.code, player.soundFault?.code].map((code) => code ?? 'fine');
    const text = [brightness, sound.some((sample) => Math.abs(sample) > 1_000) ? 'loud' : 'silent', ...faults].join(' ');
    await sleep(1_000 / format.fps);
    // On a busy computer a file takes long to start, and the picture stays as it is meanwhile.
    if (/^\S+ silent fine fine$/.test(text)) continue;
    frame += 1;
    const last = runs.at(-1);
    if (last?.text === text) last.frames += 1;
    else runs.push({ text, frames: 1 });
  }
  return runs.map((each) => `${each.text} × ${each.frames}`);
}

test.concurrent('files play one after another, once: picture and sound together, and then nothing', async (context) => {
  const { whiteLoud, greySilent } = files;
  expect(await play(context, { paths: [whiteLoud, greySilent] }, 35)).toEqual([
    'white loud fine fine × 20',
    'grey silent fine no-sound × 10',
    '– silent ended ended × 5',
  ]);
});

test.concurrent('a player that starts in mid-file does so once, and loops from the beginning', async (context) => {
  expect(await play(context, { paths: [files.whiteLoud], loops: true, startAtSeconds: 1 }, 20)).toEqual([
    'white loud fine fine × 20',
  ]);
  expect(await play(context, { paths: [files.whiteLoud, files.greySilent], loops: true, startAtSeconds: 1 }, 40)).toEqual([
    'white loud fine fine × 10',
    'grey silent fine no-sound × 10',
    'white loud fine fine × 20',
  ]);
});

test.concurrent('a file without a picture is heard over black, and one that is no media is passed over', async (context) => {
  const { broken, loudAlone, greySilent } = files;
  expect(await play(context, { paths: [broken, loudAlone, greySilent] }, 20)).toEqual([
    '– loud no-video fine × 10',
    'grey silent fine no-sound × 10',
  ]);
});

test.concurrent('files that are all no media say so', async (context) => {
  expect(await play(context, { paths: [files.broken], loops: true }, 5)).toEqual(['– silent file-unreadable fine × 5']);
});

test.concurrent('a file that is to start after its end says so, and one whose sound is over by then has lost that', async (context) => {
  const path = join(folder, 'short sound.mkv');
  const inputs = ['-f', 'lavfi', '-i', white, '-f', 'lavfi', '-i', tone.replace(',', ':duration=1,')];
  await run('ffmpeg', ['-v', 'error', ...inputs, '-t', '3', '-c:v', 'mpeg4', '-c:a', 'pcm_s16le', path]);
  expect(await play(context, { paths: [path], startAtSeconds: 60 }, 2)).toEqual(['– silent starts-late fine × 2']);
  expect(await play(context, { paths: [path], startAtSeconds: 2 }, 5)).toEqual(['white silent fine track-ended × 5']);
});

test.concurrent('files of sound alone play without pictures', async (context) => {
  const { loudAlone, broken } = files;
  expect(await play(context, { paths: [loudAlone, broken], format: undefined }, 15)).toEqual([
    '– loud fine fine × 10',
    '– silent file-unreadable fine × 5',
  ]);
});

test.skipIf(process.platform === 'win32').concurrent.each([
  ['music', () => files.musicAlone, undefined, 'sleep 2'],
  // Pictures larger than a pipe holds.
  ['the sound of videos', () => files.whiteLoud, { ...format, width: 640, height: 360 }, 'sleep 1'],
] as const)(
  '%s continues from file to file without a gap though each ffmpeg takes long to start',
  async (_what, file, wanted, delay) => {
    const ffmpegPath = await makeOddFfmpeg(delay);
    const player = new FilePlayer({ ffmpegPath, format: wanted, loops: true, paths: [file()] });
    const tenth = new Int16Array((2 * sampleRate) / 10);
    const taken: number[] = [];
    try {
      await player.settled;
      // At a quarter of the pace, which leaves time for a busy computer.
      for await (const _ of setInterval(400)) {
        if (wanted) player.takePicture()?.release();
        taken.push(player.takeSound(tenth));
        if (taken.length === 30) break;
      }
    } finally {
      await player.close();
    }
    expect(taken).toEqual(Array(30).fill(sampleRate / 10));
  },
);

test
  .skipIf(process.platform === 'win32')
  .concurrent('a file of one picture that repeats is not opened again and again', async () => {
    const starts = join(await mkdtemp(join(tmpdir(), 'starts-')), 'starts');
    const ffmpegPath = await makeOddFfmpeg(`echo >> '${starts}'`);
    const player = new FilePlayer({ ffmpegPath, format: { ...format, fps: 30 }, loops: true, paths: [files.flash] });
    const startedAtMs = performance.now();
    try {
      await player.settled;
      for await (const _ of setInterval(30)) {
        player.takePicture()?.release();
        if (performance.now() - startedAtMs > 3_000) break;
      }
    } finally {
      await player.close();
    }
    // One for the picture and one for the sound, each half second.
    const rounds = (performance.now() - startedAtMs) / 500;
    expect((await readFile(starts)).length).toBeLessThanOrEqual(2 * (Math.ceil(rounds) + 1));
  });

test.concurrent('a fault names the file that has it, not its neighbours', async ({ onTestFinished, expect }) => {
  const { broken, whiteLoud } = files;
  const { path } = await getFfmpeg();
  for (const paths of [
    [broken, whiteLoud],
    [broken, broken],
  ]) {
    const player = new FilePlayer({ ffmpegPath: path, format, loops: true, paths });
    onTestFinished(() => player.close());
    await expect
      .poll(() => {
        player.takePicture()?.release();
        return [player.fault?.code, player.faultyPath];
      })
      .toEqual(['file-unreadable', broken]);
  }
});

/** Plays until `isEnough`; returns the faults in their order, each with the name of its file. */
async function listFaults(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: Pick<FilePlayerOptions, 'paths' | 'loops'> & Partial<FilePlayerOptions>,
  isEnough: (faults: readonly string[]) => boolean | Promise<boolean>,
): Promise<string[]> {
  const { path } = await getFfmpeg();
  const player = new FilePlayer({ ffmpegPath: path, format, ...options });
  onTestFinished(() => player.close());
  await player.settled;
  const told: string[] = [];
  for await (const _ of setInterval(1_000 / format.fps)) {
    player.takePicture()?.release();
    player.takeSound(new Int16Array(samplesBefore(1, format.fps) * 2));
    const { fault } = player;
    const text = fault ? `${fault.code} ${basename(player.faultyPath)}` : 'fine';
    // On a busy computer, one track of a file may be over long before the other.
    if (told.at(-1) !== text && fault?.code !== 'track-ended' && !isLate(fault)) told.push(text);
    if (await isEnough(told)) return told;
  }
  throw new Error('it plays without end');
}

test.concurrent('a file that ends in mid-picture is named as long as the next one plays', async (context) => {
  const { cut, greySilent } = files;
  const told = await listFaults(context, { paths: [cut, greySilent], loops: true }, ({ length }) => length === 4);
  expect(told).toEqual(['fine', 'cut-short cut.mkv', 'fine', 'cut-short cut.mkv']);
});

test.concurrent('a list whose last file ends in mid-picture has not just ended', async (context) => {
  const { cut, greySilent } = files;
  const told = await listFaults(context, { paths: [greySilent, cut], loops: false }, ({ length }) => length === 2);
  expect(told).toEqual(['fine', 'ended-early cut.mkv']);
});

test
  .skipIf(process.platform === 'win32')
  .concurrent('a short file that can only be read in part is not opened more than once a second', async (context) => {
    const { cut } = files;
    const starts = join(folder, 'starts');
    await writeFile(starts, '');
    const beginMs = performance.now();
    const ffmpegPath = await makeOddFfmpeg(`echo >> '${starts}'`);
    const seconds = () => (performance.now() - beginMs) / 1_000;
    const told = await listFaults(context, { ffmpegPath, paths: [cut], loops: true }, () => seconds() > 5);
    expect(told).toEqual(['fine', 'cut-short cut.mkv']);
    // Two at a time, one of which may have begun just now.
    const { length } = await readFile(starts, 'utf8');
    expect(length).toBeLessThanOrEqual(2 * (Math.floor(seconds()) + 1));
  });

test.concurrent('a file that gives less than real time says so, and still shows pictures now and then', async ({
  onTestFinished,
  expect,
}) => {
  const path = join(folder, 'slow.mkv');
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=10', '-t', '20', '-c:v', 'mpeg4', path]);
  const player = new FilePlayer({
    ffmpegPath: await makeOddFfmpeg('set -- -readrate 0.3 "$@"'),
    format,
    loops: false,
    paths: [path],
  });
  onTestFinished(() => player.close());
  await player.settled;
  let shown: string | undefined;
  let changes = 0;
  for await (const _ of setInterval(1_000 / format.fps)) {
    const picture = player.takePicture();
    const next = picture && Buffer.from(picture.bytes).toString('base64');
    picture?.release();
    if (player.fault?.code === 'too-slow' && next !== shown) changes += 1;
    shown = next;
    if (changes > 2) break;
  }
  expect(player.fault).toEqual({ code: 'too-slow' });
});

test.concurrent('the last file of a list is taken back once it is there again, from where it was to start', async (context) => {
  const { onTestFinished, expect } = context;
  const { path: ffmpegPath } = await getFfmpeg();
  const path = join(folder, 'comes later.mkv');
  const player = new FilePlayer({ ffmpegPath, format, loops: false, paths: [path], startAtSeconds: 1 });
  onTestFinished(() => player.close());
  let heardSeconds = 0;
  const look = () => {
    player.takePicture()?.release();
    heardSeconds += player.takeSound(new Int16Array(samplesBefore(1, format.fps) * 2)) / sampleRate;
    return player.fault;
  };
  await player.settled;
  expect(look()?.code).toBe('file-gone');
  await link(files.whiteLoud, path);
  const told = new Set<string | undefined>();
  for await (const _ of setInterval(1_000 / format.fps)) {
    const fault = look();
    // On a busy computer, one track of a file may be over long before the other.
    if (fault?.code !== 'track-ended' && !isLate(fault)) told.add(fault?.code);
    if (told.has('ended')) break;
  }
  expect([...told]).toEqual(['file-gone', undefined, 'ended']);
  // From its beginning it would be two seconds; a busy computer hears less.
  expect(heardSeconds).toBeLessThan(1.2);
  expect(heardSeconds).toBeGreaterThan(0.5);
});

test.skipIf(process.platform === 'win32')(
  'a file that gives nothing is reported as stuck until it gives something',
  async ({ onTestFinished, expect }) => {
    const { path } = await getFfmpeg();
    const pipe = join(folder, 'pipe.mkv');
    await run('mkfifo', [pipe]);
    const player = new FilePlayer({ ffmpegPath: path, format, loops: true, paths: [pipe] });
    onTestFinished(() => player.close());
    const look = () => {
      const picture = player.takePicture();
      picture?.release();
      return [picture !== undefined, player.fault?.code];
    };
    expect(look()).toEqual([false, undefined]);
    await expect.poll(look).toEqual([false, 'stuck']);
    expect(player.faultyPath).toBe(pipe);
    // Each track has an ffmpeg of its own, so neither gets all of it: enough that both find something.
    await run('sh', ['-c', 'cat "$0" > "$1"', files.whiteLoud, pipe]).catch(() => {});
    await expect.poll(() => player.fault?.code).not.toBe('stuck');
  },
);
