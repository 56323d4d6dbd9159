import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AudioUnit, isKeyframe, type MediaUnit, type VideoUnit } from '../../src/service/media/media-unit.ts';
import { publishUnits } from '../../src/service/rtmp/unit-publisher.ts';
import { launchChromium } from '../support/chromium.ts';
import { smallSettings as settings, startEncoders } from '../support/encode-stand.ts';
import { fetchRendition } from '../support/fetch-rendition.ts';
import { decodeAll, probeFrames } from '../support/ffmpeg.ts';
import { findFfmpegs } from '../support/find-processes.ts';
import { startTestService } from '../support/test-service.ts';
import { openWatchedPlayer, type PlayerWay } from '../support/watched-player.ts';

/** As any playlist: near the live edge, a busy computer would make it stall, too. */
const hls: PlayerWay = { name: 'hls.js', script: 'hls.js/dist/hls.min.js', lowLatencyMode: false };

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** Encodes the test picture, and collects what goes out; `onUnit` and `onMetadata` get it, too. */
async function encode(to: Partial<Parameters<typeof startEncoders>[0]> = {}) {
  const units: MediaUnit[] = [];
  const metadata: unknown[] = [];
  const started = await startEncoders({
    ...to,
    onUnit: (unit) => {
      units.push(unit);
      to.onUnit?.(unit);
    },
    onMetadata: (values) => {
      metadata.push(values.get('videodatarate'));
      to.onMetadata?.(values);
    },
  });
  onTestFinished(() => started[Symbol.asyncDispose]());
  const video = () => units.filter((unit): unit is VideoUnit => unit.type === 'video');
  return {
    encoders: started.encoders,
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
  const { encoders, units, video, metadata, pass } = await encode();
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
  // A busy computer may repeat pictures as it begins, and repeated ones are small.
  const high = Math.max(bytesOf(frames.slice(0, 15)), bytesOf(frames.slice(-15)));
  expect(low).toBeLessThan(high / 2);
  await expect
    .poll(() => findFfmpegs(process.pid).then((found) => found.filter(({ words }) => words.includes('flv'))))
    .toEqual([]);
});

test('stopping while an encoder is being replaced ends both, and nothing more goes out', async () => {
  const { encoders, video, pass } = await encode();
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

test('viewers see no seam: ffmpeg decodes each frame once, and hls.js plays on without a stall or an error', async () => {
  const stage = await startTestService();
  onTestFinished(() => stage.close());
  const { id: streamId, playbackId } = await stage.app.stream.create({ name: 'Replaced', profiles: [] });
  const url = `${stage.urls.localPlaybackBaseUrl}/${playbackId}/source/index.m3u8`;
  const publisher = publishUnits(await stage.publish(streamId));
  const { encoders, video, pass } = await encode({
    // A page decodes it, too.
    settings: { ...settings, width: 640, height: 360 },
    onUnit: (unit) => publisher.send(unit),
    onMetadata: (metadata) => publisher.announce(metadata, 0),
  });
  await using player = await openWatchedPlayer(browser, hls);
  await pass(3 * settings.fps);
  // A viewer of the very first segment begins at 0, where its audio isn't yet: hls.js reports that it skips it.
  await expect.poll(async () => (await fetchRendition(url)).playlist.segments.length).toBeGreaterThanOrEqual(2);
  await player.play(url);
  expect(await encoders.replace(400_000)).toBe(true);
  await pass(3 * settings.fps);
  expect(await encoders.replace(2_000_000)).toBe(true);
  await pass(3 * settings.fps);
  /** On a busy computer a part may come later than hls.js waits for its playlist, which is 0.8 s here. It asks again, and nobody sees it. */
  const see = async () => {
    const { errors, ...seen } = await player.read();
    return { ...seen, errors: errors.filter((error) => !error.startsWith('levelLoadTimeOut')) };
  };
  // As it was at the live edge: the end may wait for its last parts.
  const live = await see();
  expect(live).toMatchObject({ fatal: [], errors: [], stalls: 0, buffered: [[expect.any(Number), expect.any(Number)]] });
  await encoders.stop();
  await publisher.close();
  await stage.app.broadcast.stop({ streamId });
  await player.over();
  expect(await see()).toMatchObject({ fatal: [], errors: [], ended: true });

  const { playlist } = await fetchRendition(url);
  expect(playlist.segments.filter(({ gap, discontinuity }) => gap || discontinuity)).toEqual([]);
  expect(new Set(playlist.segments.map(({ init }) => init)).size).toBe(1);
  expect(await decodeAll(url)).toEqual({ exitCode: 0, stderr: '' });
  const decoded = await probeFrames(url);
  expect(decoded.stderr).toBe('');
  expect(decoded.video.length).toBe(video().length);
  const steps = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));
  // On RTMP's milliseconds.
  for (const step of steps(decoded.video)) expect(Math.abs(step - 1 / settings.fps)).toBeLessThan(0.0011);
  for (const step of steps(decoded.audio)) expect(Math.abs(step - 1024 / 48_000)).toBeLessThan(0.0011);
});
