import { expect, onTestFinished, test } from 'vitest';
import { Feed } from '../../src/service/capture/feed.ts';
import type { CaptureTools } from '../../src/service/capture/parts.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import { type AudioUnit, isKeyframe, type MediaUnit, type VideoUnit } from '../../src/service/media/media-unit.ts';
import { BroadcastEncoders } from '../../src/service/one-click/broadcast-encoders.ts';
import { gopFramesOf } from '../../src/service/one-click/encode-args.ts';
import type { EncodeSettings } from '../../src/shared/model/encode-settings.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { findFfmpegs } from '../support/find-processes.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';

const settings: EncodeSettings = {
  width: 1280,
  height: 720,
  fps: 15,
  videoBitrateBps: 2_000_000,
  keyframeSeconds: 1,
  audioBitrateBps: 128_000,
};

/** Encodes the test picture, and collects what goes out. */
async function startEncoders() {
  const { path: ffmpegPath } = await getFfmpeg();
  const clock = createSystemClock();
  // The test picture needs neither devices nor pages.
  const tools = { ffmpegPath, clockFontPath: undefined } as unknown as CaptureTools;
  const { width, height, fps } = settings;
  const feed = new Feed({ source: testSource, format: { width, height, fps }, gopFrames: gopFramesOf(settings), tools, clock });
  onTestFinished(() => feed.close());
  await feed.start();
  const units: MediaUnit[] = [];
  const metadata: unknown[] = [];
  const encoders = new BroadcastEncoders({
    feed,
    settings,
    ffmpegPath,
    encoder: 'libx264',
    looksAhead: false,
    clock,
    onUnit: (unit) => units.push(unit),
    onMetadata: (values) => metadata.push(values.get('videodatarate')),
    onProgress: () => {},
    onFallback: () => {},
    onRestart: ({ stderr }) => expect.unreachable(stderr.join('\n')),
    onFailed: ({ stderr }) => expect.unreachable(stderr.join('\n')),
  });
  onTestFinished(() => encoders.stop());
  const video = () => units.filter((unit): unit is VideoUnit => unit.type === 'video');
  return {
    encoders,
    units,
    metadata,
    video,
    /** Resolves once so many more frames have gone out. */
    pass: (frames: number) => {
      const until = video().length + frames;
      return expect.poll(() => video().length, { timeout: 30_000, interval: 50 }).toBeGreaterThanOrEqual(until);
    },
  };
}

test('an encoder is replaced twice, and no frame or sound is missing, repeated or moved', async () => {
  const { encoders, units, video, metadata, pass } = await startEncoders();
  await pass(20);
  expect(await encoders.replace(400_000)).toBe(true);
  const lowered = video().length;
  await pass(45);
  expect(await encoders.replace(2_000_000)).toBe(true);
  await pass(20);
  await encoders.stop();

  const frames = video();
  // On the millisecond that each frame has by its number.
  const numbers = frames.map(({ dts }) => ((dts - 1_000) * settings.fps) / 1000);
  expect(numbers.map(Math.round)).toEqual(numbers.map((_, index) => Math.round(numbers[0] ?? 0) + index));
  for (const number of numbers) expect(Math.abs(number - Math.round(number))).toBeLessThan(0.04);
  expect(frames.every(({ pts, dts }) => pts === dts)).toBe(true);
  // A keyframe each second, the seams included.
  expect(frames.filter(isKeyframe).map(({ dts }) => Math.round(((dts - 1_000) * settings.fps) / 1000) % settings.fps)).toEqual(
    frames.filter(isKeyframe).map(() => 0),
  );
  const sounds = units.filter((unit): unit is AudioUnit => unit.type === 'audio');
  for (const [index, { dts }] of sounds.entries())
    expect(Math.abs(dts - (sounds[0]?.dts ?? 0) - (index * 1024) / 48)).toBeLessThan(2);
  // The same parameters, byte for byte: players need no new init segment.
  expect(units.filter(({ type }) => type === 'config').length).toBe(2);
  expect(new Set(frames.map(({ config }) => config.record.toString('hex'))).size).toBe(1);
  expect(metadata.map((rate) => Math.round(Number(rate)))).toEqual([1953, 391, 1953]);
  const bytesOf = (some: readonly VideoUnit[]) => some.reduce((sum, { data }) => sum + data.length, 0) / some.length;
  const low = bytesOf(frames.slice(lowered + 15, lowered + 45));
  expect(low).toBeLessThan(bytesOf(frames.slice(0, 15)) / 2);
  await expect
    .poll(() => findFfmpegs(process.pid).then((found) => found.filter(({ words }) => words.includes('flv'))))
    .toEqual([]);
});

test('stopping while an encoder is being replaced ends both, and nothing more goes out', async () => {
  const { encoders, video, pass } = await startEncoders();
  await pass(5);
  const replaced = encoders.replace(400_000);
  await encoders.stop();
  expect(await replaced).toBe(false);
  const after = video().length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(video().length).toBe(after);
  await expect
    .poll(() => findFfmpegs(process.pid).then((found) => found.filter(({ words }) => words.includes('flv'))))
    .toEqual([]);
});
