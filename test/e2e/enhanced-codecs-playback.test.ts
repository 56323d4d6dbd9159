import type Hls from 'hls.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createLadderStream } from '../support/ladder-stream.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';
import { openPlayerPage, waitForHeight, watchOn } from '../support/player-page.ts';
import { startTestService } from '../support/test-service.ts';

/** What the page records about its player. */
interface PlayerWindow {
  Hls: typeof Hls;
  fatal: string[];
}

let ffmpeg: string;
let browser: Browser;
let service: Awaited<ReturnType<typeof startTestService>>;
/** The newer ffmpeg is 68 MB and may take a while to download. */
beforeAll(async () => {
  ffmpeg = getNewerFfmpeg();
  [browser, service] = await Promise.all([launchChromium(), startTestService()]);
}, 300_000);
afterAll(async () => {
  await Promise.all([browser.close(), service.close()]);
});

test.concurrent.each([
  { name: 'H.264 and Opus', args: [], codecs: 'avc1.42c00d,opus' },
  { name: 'AV1 and Opus', args: ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8'], codecs: 'av01.0.00M.08,opus' },
])('hls.js plays $name in Chromium, video and audio', async ({ name, args, codecs }) => {
  const stream = await createLadderStream(service, name, []);
  await using publisher = startFfmpegPublisher(stream.publishUrl, { ffmpeg, args: [...args, '-c:a', 'libopus'] });
  await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  const plays = await page.evaluate((wanted) => MediaSource.isTypeSupported(`video/mp4; codecs="${wanted}"`), codecs);
  expect(plays, 'this Chromium decodes H.264, AV1 and Opus; Debian and Google build such').toBe(true);
  await page.evaluate((url) => {
    const here = window as unknown as PlayerWindow;
    const video = document.querySelector('video') as HTMLVideoElement;
    here.fatal = [];
    const hls = new here.Hls({ lowLatencyMode: false });
    hls.on(here.Hls.Events.ERROR, (_event, { details, fatal }) => {
      if (fatal) here.fatal.push(details);
    });
    hls.loadSource(url);
    hls.attachMedia(video);
    void video.play();
  }, stream.multivariantUrl);
  await waitForHeight(page, 180);
  await watchOn(page, 60);
  expect(await page.evaluate(() => (window as unknown as PlayerWindow).fatal)).toEqual([]);
  expect((await publisher.quit()).exitCode).toBe(0);
});

test('hls.js plays HEVC if Chromium decodes it, and reports an error if not', async () => {
  const stream = await createLadderStream(service, 'HEVC', []);
  const args = ['-c:v', 'libx265', '-x265-params', 'log-level=none:open-gop=0'];
  await using publisher = startFfmpegPublisher(stream.publishUrl, { ffmpeg, args });
  await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  const outcome = await page.evaluate(async (url) => {
    const here = window as unknown as PlayerWindow;
    const video = document.querySelector('video') as HTMLVideoElement;
    const hls = new here.Hls();
    const decodes = MediaSource.isTypeSupported('video/mp4; codecs="hvc1.1.6.L60.90,mp4a.40.2"');
    const said = await new Promise<string>((resolve) => {
      hls.on(here.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) resolve(details);
      });
      video.addEventListener('playing', () => resolve('plays'), { once: true });
      hls.loadSource(url);
      hls.attachMedia(video);
      void video.play().catch(() => {});
    });
    return { decodes, said };
  }, stream.multivariantUrl);
  expect(outcome.said).toBe(outcome.decodes ? 'plays' : 'manifestIncompatibleCodecsError');
  expect((await publisher.quit()).exitCode).toBe(0);
});
