import { renameSync } from 'node:fs';
import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { av1Format } from '../../src/service/media/av1-format.ts';
import { hevcFormat } from '../../src/service/media/hevc-format.ts';
import { opusFormat } from '../../src/service/media/opus-format.ts';
import { EncoderChooser, type EncoderChooserOptions } from '../../src/service/transcode/encoder-choice.ts';
import type { EncoderName } from '../../src/shared/model/encoder.ts';
import type { ServiceInfo } from '../../src/shared/model/views.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { asHardware, makeOddFfmpeg } from '../support/odd-ffmpeg.ts';

/** The codecs that not every ffmpeg decodes. */
const formats = [hevcFormat, av1Format, opusFormat];

/** A chooser with this ffmpeg, and the encoders that it used, one after the other. */
async function startChooser(path: string, options: Partial<EncoderChooserOptions> = {}) {
  const { version } = await getFfmpeg();
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const chooser = new EncoderChooser({
    ffmpeg: async () => ({ kind: 'found', path, version, from: 'PATH' }),
    choice: () => 'automatic',
    dataFolder: await makeDataFolder(),
    closing: closing.signal,
    log: pino({ level: 'silent' }),
    // On a busy computer an encoder may be late once more.
    retryAfterMs: [0, 0, 0],
    ...options,
  });
  const used: (EncoderName | undefined)[] = [];
  /** Resolves once it uses an encoder. */
  const tryUntil = async (encoder: EncoderName) => {
    const works = Promise.withResolvers<void>();
    chooser.onFound(() => {
      used.push(chooser.found?.used);
      if (used.at(-1) === encoder) works.resolve();
    });
    await Promise.all([chooser.try(), works.promise]);
  };
  return { chooser, used, tryUntil };
}

/** It is removed with the run's folder. */
function makeDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tallylight-encoder-choice-'));
}

test('hardware that was too late is tried again, and used once it works', async () => {
  const mark = join(await makeDataFolder(), 'tried');
  const path = await makeOddFfmpeg(`case "$*" in
*h264_nvenc*) [ -e '${mark}' ] || { : > '${mark}'; exec sleep 60; }; set -- ${asHardware.join(' ')} ;;
esac`);
  const { used, tryUntil } = await startChooser(path);
  await tryUntil('h264_nvenc');
  expect(used[0]).toBe('libx264');
});

test.each([
  { what: 'was killed by the system', fail: 'kill -9 $$' },
  { what: 'had no memory', fail: "echo 'Cannot allocate memory' >&2; exit 1" },
])('x264 that $what is tried again for as long as nothing else encodes', async ({ fail }) => {
  const tries = join(await makeDataFolder(), 'tries');
  const path = await makeOddFfmpeg(`case "$*" in
*libx264*) echo >> '${tries}'; [ "$(wc -l < '${tries}')" -gt 2 ] || { ${fail}; } ;;
esac`);
  // More often than there are pauses.
  const { used, tryUntil } = await startChooser(path, { retryAfterMs: [0] });
  await tryUntil('libx264');
  expect(used).toEqual([undefined, undefined, 'libx264']);
});

test.each([
  { what: 'too late', fail: 'exec sleep 60' },
  { what: 'short of memory', fail: "echo 'Cannot allocate memory' >&2; exit 1" },
])('a decoder whose trial was $what is tried again', async ({ fail }) => {
  const mark = join(await makeDataFolder(), 'tried');
  const path = await makeOddFfmpeg(`case "$*" in
*framecrc*) mkdir '${mark}' 2>/dev/null && { ${fail}; }; echo '0, 0'; exit ;;
esac`);
  const { chooser } = await startChooser(path);
  const decoded = () => formats.filter((format) => chooser.picked?.canDecode(format)).length;
  const all = Promise.withResolvers<void>();
  chooser.onFound(() => {
    if (decoded() === formats.length) all.resolve();
  });
  await chooser.try();
  // On a busy computer others may be late too.
  expect(decoded()).toBeLessThan(formats.length);
  await all.promise;
});

test('a broadcast waits for the trials of decoders, but not for long for those of encoders', async () => {
  const path = await makeOddFfmpeg(`case "$*" in
*framecrc*) echo '0, 0'; exit ;;
*) exec sleep 60 ;;
esac`);
  const { chooser } = await startChooser(path, { patienceMs: 0 });
  const { encoder, canDecode } = await chooser.pickSoon({ decodes: true });
  expect([encoder, formats.filter(canDecode)]).toEqual(['libx264', formats]);
  expect(chooser.found).toBeUndefined();
});

test('hardware that worked at the last start is used at once, until its trial has ended', async () => {
  const dataFolder = await makeDataFolder();
  const mark = join(dataFolder, 'removed');
  const go = join(dataFolder, 'go');
  const path = await makeOddFfmpeg(`case "$*" in
*h264_nvenc*) [ ! -e '${mark}' ] || { while [ ! -e '${go}' ]; do sleep 0.01; done; exit 1; }; set -- ${asHardware.join(' ')} ;;
esac`);
  await (await startChooser(path, { dataFolder })).tryUntil('h264_nvenc');
  await writeFile(mark, '');
  // The last pause is repeated for as long as the hardware fails.
  const retryAfterMs = [0, 0, 0, 60_000];
  const { chooser, tryUntil } = await startChooser(path, { dataFolder, patienceMs: 60_000, retryAfterMs });
  const { encoder } = await chooser.pickSoon({ decodes: false });
  expect([encoder, chooser.found]).toEqual(['h264_nvenc', undefined]);
  await writeFile(go, '');
  await tryUntil('libx264');
  expect(await chooser.pickSoon({ decodes: false })).toMatchObject({ encoder: 'libx264' });
});

test('hardware that worked at the last start, and whose sessions a broadcast has when it is tried, is tried again', async () => {
  const dataFolder = await makeDataFolder();
  const inUse = join(dataFolder, 'in use');
  const path = await makeOddFfmpeg(`case "$*" in
*h264_nvenc*) [ ! -e '${inUse}' ] || { rm '${inUse}'; exit 1; }; set -- ${asHardware.join(' ')} ;;
esac`);
  await (await startChooser(path, { dataFolder })).tryUntil('h264_nvenc');
  await writeFile(inUse, '');
  const { used, tryUntil } = await startChooser(path, { dataFolder });
  await tryUntil('h264_nvenc');
  expect(used[0]).toBe('libx264');
});

test('hardware that worked at an earlier start is tried again for as long as its sessions are in use, over restarts too', async () => {
  const dataFolder = await makeDataFolder();
  const tries = join(dataFolder, 'tries');
  /** What becomes of its next trials. */
  const use = (...trials: ('refused' | 'late')[]) => writeFile(tries, trials.map((trial) => `${trial}\n`).join(''));
  const path = await makeOddFfmpeg(`case "$*" in
*h264_nvenc*) [ -s '${tries}' ] && { read -r trial < '${tries}'; tail -n +2 '${tries}' > '${tries}.new'; mv '${tries}.new' '${tries}'
  [ "$trial" = late ] && exec sleep 60; exit 1; }; set -- ${asHardware.join(' ')} ;;
esac`);
  await (await startChooser(path, { dataFolder })).tryUntil('h264_nvenc');
  await use('refused');
  await (await startChooser(path, { dataFolder, retryAfterMs: [] })).tryUntil('libx264');
  // One more than the pauses allow for, and a slow one in the end.
  await use('refused', 'refused', 'refused', 'late');
  const { used, tryUntil } = await startChooser(path, { dataFolder, retryAfterMs: [0, 0, 10] });
  await tryUntil('h264_nvenc');
  // On a busy computer another trial may be late.
  expect(used.slice(0, 4)).toEqual(Array(4).fill('libx264'));
});

test('what only encodes waits for no trial of decoders', async () => {
  const path = await makeOddFfmpeg('exec sleep 60');
  const { chooser } = await startChooser(path, { patienceMs: 0 });
  expect(await chooser.pickSoon({ decodes: false })).toMatchObject({ encoder: 'libx264' });
  // They are under way.
  expect(chooser.picked).toBeUndefined();
});

test('encoders are tried again after an ffmpeg that was away, for however long', async () => {
  const path = await makeOddFfmpeg('');
  await rename(path, `${path}.later`);
  let failures = 0;
  const bringBack = () => {
    failures += 1;
    // More often than there are pauses.
    if (failures === 3) renameSync(`${path}.later`, path);
  };
  const { tryUntil } = await startChooser(path, { log: pino({ level: 'warn' }, { write: bringBack }), retryAfterMs: [0] });
  await tryUntil('libx264');
});

test('another build of ffmpeg is tried for itself, and while there is none, nothing of the one before is known', async () => {
  const { version } = await getFfmpeg();
  const found = (path: string) => ({ kind: 'found' as const, path, version, from: 'PATH' as const });
  const missing: ServiceInfo['ffmpeg'] = { kind: 'missing', reason: { code: 'not-found' } };
  const withHardware = found(await makeOddFfmpeg(`case "$*" in *h264_nvenc*) set -- ${asHardware.join(' ')} ;; esac`));
  const without = found(await makeOddFfmpeg(''));
  let ffmpeg: ServiceInfo['ffmpeg'] = withHardware;
  const { chooser, used, tryUntil } = await startChooser('', { ffmpeg: async () => ffmpeg });
  await tryUntil('h264_nvenc');
  expect(chooser.picked).toMatchObject({ ffmpeg: withHardware, encoder: 'h264_nvenc' });
  // On a busy computer, hardware may be found by its second trial.
  const tried = [...used];
  await chooser.try();
  expect(used).toEqual(tried);
  ffmpeg = missing;
  await chooser.try();
  expect([chooser.picked, chooser.found]).toEqual([undefined, undefined]);
  expect((await chooser.pickSoon({ decodes: true })).ffmpeg).toEqual(missing);
  ffmpeg = without;
  await tryUntil('libx264');
  expect(chooser.picked).toMatchObject({ ffmpeg: without, encoder: 'libx264' });
  expect(chooser.ffmpegPath).toBe(without.path);
});

test('a broadcast that begins right after ffmpeg was replaced gets the new one, and what that decodes', async () => {
  const { version } = await getFfmpeg();
  const [older, newer] = await Promise.all(
    ['exit 1', "echo '0, 0'; exit"].map((answer) => makeOddFfmpeg(`case "$*" in *framecrc*) ${answer} ;; esac`)),
  );
  let path = older as string;
  const { chooser } = await startChooser('', { ffmpeg: async () => ({ kind: 'found', path, version, from: 'PATH' }) });
  await chooser.try();
  expect(formats.filter((format) => chooser.picked?.canDecode(format))).toEqual([]);
  path = newer as string;
  const { ffmpeg, canDecode } = await chooser.pickSoon({ decodes: true });
  expect([ffmpeg, formats.filter(canDecode).length]).toMatchObject([{ path: newer }, formats.length]);
});
