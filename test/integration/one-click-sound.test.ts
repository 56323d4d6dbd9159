import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import type { AudioMeter } from '../../src/shared/model/audio-meter.ts';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { Source } from '../../src/shared/model/source.ts';
import type { Verdict } from '../../src/shared/model/verdict.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { findMeters } from '../support/find-processes.ts';
import { loopedFile } from '../support/looped-file.ts';
import { expectSoundTrouble } from '../support/sound-trouble.ts';
import { bothSides, findLoudest, loudSounds, measureSound, voice } from '../support/sounds.ts';
import { startTestService } from '../support/test-service.ts';
import { holdOpen, waitUntil } from '../support/wait-until.ts';

/** As few and as small pictures as can be chosen: only the sound matters. */
const settings = { ...encodePresets['720p30'], width: 720, height: 720, fps: 10, videoBitrateBps: 500_000 };
const encode = { kind: 'by-hand', settings } as const;
/** Each plays some files to their end, one after another, in real time at best. */
const listensAtMostMs = 240_000;
/** As short a file as has every 3 s of the speech. */
const fileSeconds = 10;

let stage: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  stage = await startTestService();
});
afterAll(() => stage.close());

let files = 0;

/** A file with this sound, uncompressed, and a small picture. */
async function makeFile(sound: string): Promise<string> {
  files += 1;
  const path = join(tmpdir(), `sound-${process.pid}-${files}.mkv`);
  const { output, stderr } = await runFfmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', 'color=size=160x90:rate=10', '-f', 'lavfi', '-i', sound],
    ...['-t', String(fileSeconds), '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'pcm_s16le', '-f', 'matroska', '-'],
  ]);
  if (stderr !== '') throw new Error(`ffmpeg failed: ${stderr}`);
  await writeFile(path, output);
  return path;
}

/** A broadcast of this source by one click. */
async function goLive({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, name: string, source: Source) {
  const { app } = stage;
  const { id: streamId } = await app.stream.create({ name });
  await app.broadcast.goLive({ streamId, source, encode });
  onTestFinished(async () => void (await app.broadcast.stop({ streamId })));
  const change = (next: Source) => app.broadcast.changeSource({ streamId, source: next });
  /** What the meter shows, until that is enough. A busy computer may leave gaps in what it sends. */
  const hear = async (isEnough: (shown: readonly AudioMeter[]) => boolean) => {
    const shown: AudioMeter[] = [];
    for await (const { meter } of await app.stream.watchAudio({ streamId })) {
      if (meter !== undefined && isKnown(meter)) shown.push(meter);
      if (isEnough(shown)) return shown;
    }
    throw new Error('The broadcast is over.');
  };
  const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await app.stream.watch({ streamId }), is);
  const expectTrouble = (expected: Verdict) =>
    expectSoundTrouble(watch, { stage: 'capture', code: 'capturing-sound' }, expected);
  const untilFine = () => watch((live) => live.stages[0]?.severity === 'good');
  const acceptSilence = () => app.broadcast.acceptSilence({ streamId });
  return { change, hear, expectTrouble, untilFine, acceptSilence };
}

const isKnown = (meter: AudioMeter) => meter.kind === 'measured' && meter.shortTermLufs !== undefined;

// Only some at once: each has an encoder of its own.
test.concurrent.for([loudSounds.slice(0, 3), loudSounds.slice(3)])(
  'what one click sends is as loud as ffmpeg says its files are: %#',
  { timeout: listensAtMostMs },
  async (sounds, context) => {
    const paths = await Promise.all(sounds.map(([, sound]) => makeFile(sound)));
    const measured = await Promise.all(paths.map((path) => measureSound(path, undefined, 2)));
    const { change, hear } = await goLive(context, `Loud ${sounds[0]?.[0]}`, loopedFile(paths[0] ?? ''));
    for (const [index, [name, , aboutLufs]] of sounds.entries()) {
      const { integratedLufs = 0, mostShortTermLufs = 0, truePeakDbtp = 0 } = measured[index] ?? {};
      expect(Math.abs(integratedLufs - aboutLufs)).toBeLessThan(1.5);
      if (index > 0) await change(loopedFile(paths[index] ?? ''));
      const least = mostShortTermLufs - 0.5;
      if (name.startsWith('speech')) {
        // What was before is louder or quieter by far, and the loudest words come once in each round.
        const isOver = (meter: AudioMeter) => Math.abs(findLoudest([meter]) - mostShortTermLufs) < 3;
        await hear((shown) => shown.slice(-1).some(isOver));
        const shown = await hear((shown) => shown.length > fileSeconds * 5 && findLoudest(shown) >= least);
        expect(findLoudest(shown.slice(-fileSeconds * 5)), name).toBeLessThanOrEqual(mostShortTermLufs + 0.5);
      } else {
        const isAsLoud = (meter: AudioMeter) => Math.abs(findLoudest([meter]) - mostShortTermLufs) <= 0.5;
        await hear((shown) => shown.length >= 10 && shown.slice(-10).every(isAsLoud));
      }
      const shown = await hear((all) => all.length > 0);
      const [newest] = shown.slice(-1);
      const peaks = newest?.kind === 'measured' ? newest.truePeaksDbtp : [];
      // AAC makes peaks a little higher.
      expect([peaks.length, Math.max(...peaks) <= truePeakDbtp + 1]).toEqual([2, true]);
    }
  },
);

test.concurrent('one-sided, inverted and muted sound of files is reported at its capture', {
  timeout: listensAtMostMs,
}, async (context) => {
  const [oneSided, inverted, fine] = await Promise.all(
    [`${voice},pan=stereo|c0=0*c0|c1=c0`, `${voice},pan=stereo|c0=c0|c1=-1*c0`, `${voice},${bothSides}`].map(makeFile),
  );
  const { change, expectTrouble, untilFine, acceptSilence } = await goLive(context, 'Troubles', loopedFile(oneSided ?? ''));
  await expectTrouble({ code: 'one-sided', severity: 'warn', stage: 'capture', without: 'left' });
  await change(loopedFile(inverted ?? ''));
  await expectTrouble({ code: 'inverted', severity: 'warn', stage: 'capture' });
  await change(loopedFile(fine ?? ''));
  await untilFine();
  const muted = loopedFile(fine ?? '');
  await change({
    ...muted,
    sound: { ...muted.sound, inputs: muted.sound.inputs.map((input) => ({ ...input, isMuted: true })) },
  });
  await expectTrouble({ code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: false });
  await acceptSilence();
  await untilFine();
});

// Alone: it needs no other, and each has an encoder of its own.
test('a mix that clips is reported, and the limiter keeps it from clipping', async (context) => {
  const [, loud = ''] = loudSounds.find(([name]) => name === 'speech at −6 LUFS') ?? [];
  const { picture, sound } = loopedFile(await makeFile(loud));
  const louder = { ...sound, inputs: sound.inputs.map((input) => ({ ...input, levelDb: 6 })) };
  const { change, hear, expectTrouble, untilFine } = await goLive(context, 'Clipping', { picture, sound: louder });
  await expectTrouble({ code: 'clipping', severity: 'warn', stage: 'capture', isLimited: false });
  await change({ picture, sound: { ...louder, limits: true } });
  await untilFine();
  const limited = await hear((shown) => shown.length > 20);
  expect(limited.filter((meter) => meter.kind === 'measured' && Math.max(...meter.truePeaksDbtp) > 0)).toEqual([]);
});

// Not beside the others: a preview ends when a broadcast begins.
test('a source is as loud in its preview as ffmpeg says, on both sides, and its meter ends with it', async () => {
  const [, sound] = loudSounds[1] ?? [];
  const path = await makeFile(sound ?? '');
  const { mostShortTermLufs, truePeakDbtp } = await measureSound(path, undefined, 2);
  const previews = await stage.app.source.watchPreview({ source: loopedFile(path) });
  const { meter } = await waitUntil(holdOpen(previews), ({ meter }) => meter !== undefined && isKnown(meter));
  // Those of the broadcasts before may be ending.
  await expect.poll(() => findMeters(process.pid)).toHaveLength(1);
  expect(meter).toEqual({
    kind: 'measured',
    momentaryLufs: expect.closeTo(mostShortTermLufs, 0),
    shortTermLufs: expect.any(Number),
    truePeaksDbtp: [expect.closeTo(truePeakDbtp, 0), expect.closeTo(truePeakDbtp, 0)],
  });
  expect(Math.abs(findLoudest(meter === undefined ? [] : [meter]) - mostShortTermLufs)).toBeLessThanOrEqual(0.5);
  await previews.return();
  await expect.poll(() => findMeters(process.pid)).toEqual([]);
});
