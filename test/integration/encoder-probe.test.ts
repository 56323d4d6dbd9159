import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { av1Format } from '../../src/service/media/av1-format.ts';
import { hevcFormat } from '../../src/service/media/hevc-format.ts';
import { opusFormat } from '../../src/service/media/opus-format.ts';
import { probeFilters } from '../../src/service/one-click/encode-tools.ts';
import { type ProbedDecoders, probeDecoders } from '../../src/service/transcode/decoder-probe.ts';
import { chooseEncoder, mayWorkSoon, probeEncoders, recallEncoders } from '../../src/service/transcode/encoder-probe.ts';
import type { EncoderFault, EncoderTrial } from '../../src/shared/model/encoder.ts';
import { writeCountedProgram } from '../support/counted-program.ts';
import { findProcesses } from '../support/find-processes.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { asHardware } from '../support/odd-ffmpeg.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-encoders-'));
});
afterEach(() => rm(dataFolder, { recursive: true }));

/** Enough for an ffmpeg that answers at once, on a busy computer too; one that is silent costs a test this long. */
const silentMs = 3_000;

/** An ffmpeg that records each run, then runs `script`. */
async function makeFfmpeg(script: string) {
  const { path, countRuns } = await writeCountedProgram(join(dataFolder, 'ffmpeg'), script);
  return { ffmpeg: { path, version: '5.1' }, countRuns };
}

test('an encoder is offered only when it produced frames here, and each failure has a reason', async () => {
  const trials = await probeEncoders({ ffmpeg: await getFfmpeg(), dataFolder, platform: 'darwin', timeoutMs: 30_000 });
  expect(trials).toEqual([
    { encoder: 'h264_videotoolbox', works: false, fault: { code: 'not-built-in' }, stderr: expect.any(Array) },
    { encoder: 'libx264', works: true },
  ]);
  expect(trials[0]?.works === false && trials[0].stderr.join('\n')).toContain("Unrecognized option 'realtime'");
  const { mode } = await stat(join(dataFolder, 'encoders.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('each platform tries the encoders it may have, hardware first, and gives up on a silent one in time', async () => {
  const { ffmpeg } = await makeFfmpeg('exec sleep 60');
  const fault = { code: 'too-late', withinMs: 50 };
  const tried = async (platform: NodeJS.Platform) => {
    const trials = await probeEncoders({ ffmpeg, dataFolder, platform, timeoutMs: 50 });
    for (const trial of trials) expect(trial).toMatchObject({ works: false, fault });
    return trials.map(({ encoder }) => encoder);
  };
  expect(await tried('linux')).toEqual(['h264_nvenc', 'h264_qsv', 'h264_amf', 'h264_vaapi', 'libx264']);
  expect(await tried('win32')).toEqual(['h264_nvenc', 'h264_qsv', 'h264_amf', 'libx264']);
  expect(await tried('darwin')).toEqual(['h264_videotoolbox', 'libx264']);
});

test('what a build of ffmpeg lacks is kept while that is the same, and a damaged result is replaced', async () => {
  const { ffmpeg, countRuns } = await makeFfmpeg("echo 'Unknown encoder' >&2; exit 1");
  const options = { ffmpeg, dataFolder, platform: 'darwin' as const, timeoutMs: 30_000 };
  const trials = await probeEncoders(options);
  expect(trials[1]).toEqual({
    encoder: 'libx264',
    works: false,
    fault: { code: 'not-built-in' },
    stderr: ['Unknown encoder'],
  });
  expect(await probeEncoders(options)).toEqual(trials);
  expect(await countRuns()).toBe(2);
  await probeEncoders({ ...options, ffmpeg: { ...ffmpeg, version: '5.2' } });
  expect(await countRuns()).toBe(4);
  await utimes(ffmpeg.path, 1, 1);
  await probeEncoders({ ...options, ffmpeg: { ...ffmpeg, version: '5.2' } });
  expect(await countRuns()).toBe(6);
  await writeFile(join(dataFolder, 'encoders.json'), '{"build"');
  await probeEncoders({ ...options, ffmpeg: { ...ffmpeg, version: '5.2' } });
  expect(await countRuns()).toBe(8);
});

/** A trial's encode, whatever encoder was asked for. */
const makeEncode = async () => `exec '${(await getFfmpeg()).path}' ${asHardware.join(' ')}`;

/** Leaves in the data folder that these encoders worked with this ffmpeg. */
async function remember(ffmpeg: { path: string; version: string }, encoders: readonly EncoderTrial['encoder'][]) {
  const build = { ...ffmpeg, modifiedAtMs: (await stat(ffmpeg.path)).mtimeMs };
  const found = encoders.map((encoder) => ({ encoder, works: true }));
  await writeFile(join(dataFolder, 'encoders.json'), JSON.stringify({ build, found }));
}

test('hardware that worked at an earlier start and has left the computer is not chosen, and other hardware is', async () => {
  const { ffmpeg } = await makeFfmpeg(
    `case "$*" in *nvenc* | *qsv* | *vaapi*) echo 'No device.' >&2; exit 1;; esac\n${await makeEncode()}`,
  );
  await remember(ffmpeg, ['h264_nvenc', 'libx264']);
  const options = { ffmpeg, dataFolder, platform: 'linux' as const, timeoutMs: 30_000 };
  expect(chooseEncoder('automatic', await probeEncoders(options))).toBe('h264_amf');
  expect(await recallEncoders(options)).toEqual([
    { encoder: 'h264_nvenc', works: false, fault: { code: 'unusable' }, stderr: ['No device.'] },
    { encoder: 'h264_amf', works: true },
    { encoder: 'libx264', works: true },
  ]);
});

test('hardware that worked at an earlier start and is only late at this one is used: the computer is busy', async () => {
  const { ffmpeg } = await makeFfmpeg(`case "$*" in *videotoolbox*) exec sleep 60;; esac\n${await makeEncode()}`);
  await remember(ffmpeg, ['h264_videotoolbox', 'libx264']);
  const trials = await probeEncoders({ ffmpeg, dataFolder, platform: 'darwin', timeoutMs: silentMs });
  expect(chooseEncoder('automatic', trials)).toBe('h264_videotoolbox');
});

test('hardware that failed is tried again at each start, until its driver is there; what works, once per start', async () => {
  const driver = join(dataFolder, 'driver');
  const { ffmpeg, countRuns } = await makeFfmpeg(
    `case "$*" in *videotoolbox*) [ -e '${driver}' ] || { echo 'no driver' >&2; exit 1; };; esac\n${await makeEncode()}`,
  );
  const options = { ffmpeg, dataFolder, platform: 'darwin' as const, timeoutMs: 30_000 };
  const without = [
    { encoder: 'h264_videotoolbox', works: false, fault: { code: 'unusable' }, stderr: ['no driver'] },
    { encoder: 'libx264', works: true },
  ];
  expect(await probeEncoders(options)).toEqual(without);
  expect(await countRuns()).toBe(2);
  expect(await probeEncoders(options)).toEqual(without);
  expect(await countRuns()).toBe(3);
  await writeFile(driver, '');
  const withDriver: EncoderTrial[] = [
    { encoder: 'h264_videotoolbox', works: true },
    { encoder: 'libx264', works: true },
  ];
  expect(await probeEncoders(options)).toEqual(withDriver);
  expect(await countRuns()).toBe(4);
  expect(await probeEncoders({ ...options, tried: withDriver })).toEqual(withDriver);
  expect(await countRuns()).toBe(4);
  expect(await probeEncoders(options)).toEqual(withDriver);
  expect(await countRuns()).toBe(5);
});

test('an ffmpeg is asked for its text renderer once per build, and again if it did not answer in time', async () => {
  const answer = 'case "$*" in *drawtext*) echo fontfile;; *) echo no such option;; esac';
  const { ffmpeg, countRuns } = await makeFfmpeg(
    `[ "$(wc -l < '${dataFolder}/ffmpeg-runs')" -gt 1 ] || exec sleep 60\n${answer}`,
  );
  const options = { ffmpeg, dataFolder, timeoutMs: 60_000 };
  expect(await probeFilters({ ...options, timeoutMs: silentMs })).toEqual({ drawsText: false });
  expect(await countRuns()).toBe(1);
  expect(await probeFilters(options)).toEqual({ drawsText: true });
  expect(await probeFilters(options)).toEqual({ drawsText: true });
  expect(await countRuns()).toBe(2);
});

test.each([
  { what: 'got no memory', fail: "echo 'Cannot allocate memory' >&2; exit 1" },
  {
    what: 'could not open its libraries',
    fail: "echo 'libavfilter.so.9: cannot open shared object file: Too many open files' >&2; exit 127",
  },
])('an ffmpeg that $what is asked again for its text renderer and its decoders', async ({ fail }) => {
  const mark = join(dataFolder, 'mark');
  const { ffmpeg } = await makeFfmpeg(
    `[ -e '${mark}' ] || { ${fail}; }\ncase "$*" in *drawtext*) echo fontfile;; *) echo '0, 0';; esac`,
  );
  const options = { ffmpeg, dataFolder, timeoutMs: 30_000 };
  const ask = async () => {
    const [{ drawsText }, { isSettled }] = await Promise.all([probeFilters(options), probeDecoders(options)]);
    return { drawsText, isSettled };
  };
  expect(await ask()).toEqual({ drawsText: false, isSettled: false });
  await writeFile(mark, '');
  expect(await ask()).toEqual({ drawsText: true, isSettled: true });
});

test('a trial that timed out is not kept: the computer may have been busy', async () => {
  const { ffmpeg, countRuns } = await makeFfmpeg('case "$*" in *videotoolbox*) exec sleep 60;; esac; exit 1');
  const options = { ffmpeg, dataFolder, platform: 'darwin' as const, timeoutMs: silentMs };
  await probeEncoders(options);
  await probeEncoders(options);
  expect(await countRuns()).toBe(4);
});

test('what an ffmpeg that was killed did not say is asked again: the computer may have run out of memory', async () => {
  const { ffmpeg, countRuns } = await makeFfmpeg('kill -9 $$');
  const options = { ffmpeg, dataFolder, platform: 'darwin' as const, timeoutMs: 30_000 };
  const [, x264] = await probeEncoders(options);
  expect(x264).toEqual({ encoder: 'libx264', works: false, fault: { code: 'unusable' }, stderr: [] });
  await probeFilters(options);
  await probeDecoders(options);
  const runs = await countRuns();
  await probeEncoders(options);
  await probeFilters(options);
  await probeDecoders(options);
  expect(await countRuns()).toBe(2 * runs);
});

test('decoders whose trial did not come to its end are tried again, and only those', async () => {
  const mark = join(dataFolder, 'mark');
  // The first trial of three.
  const { ffmpeg, countRuns } = await makeFfmpeg(`mkdir '${mark}' 2>/dev/null && kill -9 $$\necho '0, 0'`);
  const options = { ffmpeg, dataFolder, timeoutMs: 30_000 };
  const decoded = ({ canDecode }: ProbedDecoders) => [hevcFormat, av1Format, opusFormat].filter(canDecode).length;
  const first = await probeDecoders(options);
  expect([first.isSettled, decoded(first), await countRuns()]).toEqual([false, 2, 3]);
  const second = await probeDecoders(options);
  expect([second.isSettled, decoded(second), await countRuns()]).toEqual([true, 3, 4]);
  expect((await probeDecoders(options)).isSettled).toBe(true);
  expect(await countRuns()).toBe(4);
});

test('what an ffmpeg that could not be started did not say is asked again', async () => {
  const { ffmpeg, countRuns } = await makeFfmpeg('exit 1');
  const options = { ffmpeg, dataFolder, platform: 'darwin' as const, timeoutMs: 30_000 };
  await chmod(ffmpeg.path, 0o644);
  expect((await probeEncoders(options)).map(({ works }) => works)).toEqual([false, false]);
  await chmod(ffmpeg.path, 0o755);
  await probeEncoders(options);
  expect(await countRuns()).toBe(2);
});

test('a service that closes during a trial leaves no ffmpeg running and keeps no result', async () => {
  // It ignores the request to exit, as when its driver hangs.
  const { ffmpeg, countRuns } = await makeFfmpeg("trap '' TERM; exec sleep 60");
  const closing = new AbortController();
  const probing = probeEncoders({ ffmpeg, dataFolder, platform: 'darwin', timeoutMs: 60_000, signal: closing.signal });
  const ended = probing.catch((error: unknown) => error);
  await expect.poll(countRuns, { timeout: 30_000 }).toBe(1);
  closing.abort();
  expect(await ended).toBe(closing.signal.reason);
  expect((await findProcesses()).filter(({ parentPid }) => parentPid === process.pid)).toEqual([]);
  expect(await countRuns()).toBe(1);
  expect(await readdir(dataFolder)).not.toContain('encoders.json');
});

test('an encoder that exits cleanly without its pictures does not work', async () => {
  const { ffmpeg } = await makeFfmpeg('exit 0');
  const [trial] = await probeEncoders({ ffmpeg, dataFolder, platform: 'darwin', timeoutMs: 30_000 });
  expect(trial).toMatchObject({ works: false, fault: { code: 'too-few-pictures', made: 0, asked: 10 } });
});

test('automatic picks the first working encoder; a choice that does not work falls back', () => {
  const broken = (encoder: EncoderTrial['encoder']): EncoderTrial => ({
    encoder,
    works: false,
    stderr: [],
    fault: { code: 'unusable' },
  });
  const trials: EncoderTrial[] = [
    broken('h264_nvenc'),
    { encoder: 'h264_vaapi', works: true },
    { encoder: 'libx264', works: true },
  ];
  expect(chooseEncoder('automatic', trials)).toBe('h264_vaapi');
  expect(chooseEncoder('libx264', trials)).toBe('libx264');
  expect(chooseEncoder('h264_nvenc', trials)).toBe('libx264');
  expect(chooseEncoder('automatic', [broken('libx264')])).toBeUndefined();
  const late = (encoder: EncoderTrial['encoder']): EncoderTrial => ({
    encoder,
    works: false,
    stderr: [],
    fault: { code: 'too-late', withinMs: 3_000 },
  });
  expect(chooseEncoder('automatic', [late('h264_vaapi'), late('libx264')])).toBe('libx264');
});

test.each<{ encoder: EncoderTrial['encoder']; code: 'too-late' | 'unusable' | 'not-built-in'; soon: boolean }>([
  { encoder: 'h264_vaapi', code: 'too-late', soon: true },
  { encoder: 'h264_vaapi', code: 'unusable', soon: false },
  { encoder: 'libx264', code: 'too-late', soon: true },
  { encoder: 'libx264', code: 'unusable', soon: true },
  { encoder: 'libx264', code: 'not-built-in', soon: false },
])('an encoder may work soon, $encoder being $code: $soon', ({ encoder, code, soon }) => {
  const fault: EncoderFault = code === 'too-late' ? { code, withinMs: 3_000 } : { code };
  expect(mayWorkSoon({ encoder, works: false, fault, stderr: [] })).toBe(soon);
});
