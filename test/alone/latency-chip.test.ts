import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startClockCamera } from '../support/clock-camera.ts';
import { type ClockReadingWindow, clockBits, readClockScript } from '../support/picture-clock.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { studioPage } from '../support/studio-page.ts';

/** The latency on the chip, in seconds, and the picture shown with it: its position, and its capture time modulo 2^32. */
interface Look {
  atMs: number;
  saidSeconds: number | undefined;
  positionSeconds: number;
  takenMs: number;
}

/** Within a segment, dates advance at the media's pace, which is slower than real time with a slow encoder. */
const toleranceMs = 600;
/** It takes a few segments to recognise a slow encoder. */
const settleSeconds = 5;
const wrapMs = 2 ** 32;
/** The chip is updated twice a second and read every 200 ms, or later by a page that waits for its turn. */
const saidAgeLooks = 4;
/** So many looks that take longer than this were taken by a page that hung. */
const hungMs = 2_000;

let ui: BrowserUi;
beforeAll(async () => {
  ui = await openBrowserUi({ size: smallPage });
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** Samples chip and picture every 200 ms for this long. */
const watchLatency = (page: Page, seconds: number): Promise<Look[]> =>
  page.evaluate(
    async ([seconds, bits]) => {
      const page = window as unknown as ClockReadingWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [bits * 8, 8];
      let shown: { takenMs: number; positionSeconds: number } | undefined;
      const read = (_atMs: number, { mediaTime }: VideoFrameCallbackMetadata) => {
        const takenMs = page.readClock(video, canvas);
        if (takenMs !== undefined) shown = { takenMs, positionSeconds: mediaTime };
        video.requestVideoFrameCallback(read);
      };
      video.requestVideoFrameCallback(read);
      const looks: Look[] = [];
      const until = performance.now() + seconds * 1000;
      while (performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        const chip = [...document.querySelectorAll('button')].find(({ textContent }) => /\ss behind you/.test(textContent));
        const saidSeconds = chip === undefined ? undefined : Number.parseFloat(chip.textContent);
        if (shown !== undefined) looks.push({ atMs: Date.now(), saidSeconds, ...shown });
      }
      return looks;
    },
    [seconds, clockBits] as const,
  );

const percentile95 = (values: readonly number[]) =>
  values.map(Math.abs).toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)];

// In parallel: each takes a third of a core.
test.concurrent.each([
  { speed: 1, isStamped: false },
  { speed: 0.7, isStamped: false },
  { speed: 0.7, isStamped: true },
])(
  'dates and the displayed latency match the clock in the picture: $speed of real time, stamped: $isStamped',
  async ({ speed, isStamped }) => {
    const { hash, streamKey, playbackId } = await ui.createStream({ name: `Clock ${speed} ${isStamped}` });
    const page = await ui.openPage(hash);
    const studio = studioPage(page);
    const port = Number(new URL(ui.host.ready.ingestBaseUrl).port);
    await using _camera = await startClockCamera({ port, streamKey, speed, isStamped });
    await studio.seePicture();
    await studio.latency.waitFor();
    await page.evaluate(readClockScript);
    const looks = await watchLatency(page, 20);
    const { segments } = readPlaylist(
      await (await fetch(`${ui.host.ready.playbackBaseUrl}/${playbackId}/source/index.m3u8`)).text(),
    );
    const settled = looks.filter(({ positionSeconds }) => positionSeconds > settleSeconds);
    expect(settled.length).toBeGreaterThan(30);
    let endSeconds = 0;
    const dated = segments.map(({ seconds, programDateTime = '' }) => {
      endSeconds += seconds;
      return { startSeconds: endSeconds - seconds, dateMs: Date.parse(programDateTime) };
    });
    const errorsMs = settled.flatMap(({ positionSeconds, takenMs }) => {
      const segment = dated.findLast(({ startSeconds }) => startSeconds <= positionSeconds + 0.001);
      return segment === undefined || positionSeconds > endSeconds
        ? []
        : (segment.dateMs % wrapMs) + (positionSeconds - segment.startSeconds) * 1000 - takenMs;
    });
    expect(percentile95(errorsMs)).toBeLessThan(toleranceMs);
    const behindSeconds = ({ atMs, takenMs }: Look) => ((atMs % wrapMs) - takenMs) / 1000;
    // The chip is up to half a second old: when a picture follows a stall, the chip still describes the previous one.
    const saidErrors = settled.flatMap(({ atMs, saidSeconds, takenMs }, index) => {
      const recent = settled.slice(Math.max(0, index + 1 - saidAgeLooks), index + 1);
      // A page that hung shows what was true before, until it has been drawn again.
      const hung = recent.length < saidAgeLooks || atMs - (recent[0]?.atMs ?? 0) > hungMs;
      if (hung) return [];
      // A frozen picture may have no chip, but a moving one must.
      if (saidSeconds === undefined) return recent.every((look) => look.takenMs === takenMs) ? [] : [Number.POSITIVE_INFINITY];
      return [Math.min(...recent.map((look) => Math.abs(saidSeconds - behindSeconds(look))))];
    });
    expect(saidErrors.length).toBeGreaterThan(20);
    expect(percentile95(saidErrors), JSON.stringify(settled)).toBeLessThan(0.8);
  },
  90_000,
);
