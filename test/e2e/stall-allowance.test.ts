import type Hls from 'hls.js';
import { expect, test } from 'vitest';
import { smallPlayer } from '../../src/renderer/features/monitor/hls-settings.ts';
import type { holdLiveEdge } from '../../src/renderer/features/monitor/live-edge.ts';
import type { forgetStalls } from '../../src/renderer/features/monitor/stall-allowance.ts';
import { launchChromium } from '../support/chromium.ts';
import { addPageModule } from '../support/page-script.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, orTellStory, type PlayerLog, waitUntilPlayed } from '../support/player-page.ts';
import { broadcastOncePlayed } from '../support/recording-player.ts';
import { makeSource } from '../support/synthetic-source.ts';

const headMs = 4_100;
/** PART-HOLD-BACK (rfc8216bis §4.4.3.8). */
const holdBackSeconds = 0.4;

interface StalledWindow extends PlayerLog {
  Hls: typeof Hls;
  hls: Hls;
  holdLiveEdge: typeof holdLiveEdge;
  forgetStalls: typeof forgetStalls;
  stalls: number;
  /** The time by the clock of the stalls, in milliseconds. */
  nowMs: number;
  forgetOldStalls: () => void;
  /** How far the picture came forward by playing faster than in real time, and where it was last looked at, in seconds. */
  gainedSeconds: number;
  seenSeconds: number;
}

test('hls.js stays farther back after stalls, and its picture comes forward again once they are forgotten', async () => {
  await using browser = await launchChromium();
  const tags = await makeSource({ seconds: 40, rate: '30', gopFrames: 30 });
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  await addPageModule(page, 'features/monitor/live-edge.ts', 'holdLiveEdge');
  await addPageModule(page, 'features/monitor/stall-allowance.ts', 'forgetStalls');
  let isForward = false;
  const broadcasting = broadcastOncePlayed(stand, { tags, headMs, targetSegmentSeconds: 1, isOver: () => isForward });
  await page.evaluate(
    ([url, { hls: settings }]) => {
      const page = window as unknown as StalledWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.hls = new page.Hls({ ...settings, debug: page.logger });
      page.stalls = 0;
      page.nowMs = 0;
      page.hls.on(page.Hls.Events.ERROR, (_event, { details }) => {
        if (details === page.Hls.ErrorDetails.BUFFER_STALLED_ERROR) page.stalls += 1;
      });
      page.holdLiveEdge(page.hls, video, () => true);
      page.forgetOldStalls = page.forgetStalls(page.hls, () => page.nowMs);
      page.hls.loadSource(url);
      page.hls.attachMedia(video);
      void video.play();
    },
    [stand.multivariantUrl, smallPlayer] as const,
  );
  await waitUntilPlayed(page, 1);
  // As two moments without media leave it.
  const after = await page.evaluate(() => {
    const page = window as unknown as StalledWindow;
    const { hls, Hls: player, stalls, forgetOldStalls } = page;
    const video = document.querySelector('video') as HTMLVideoElement;
    for (let stall = 0; stall < 2; stall += 1) {
      hls.trigger(player.Events.ERROR, {
        type: player.ErrorTypes.MEDIA_ERROR,
        details: player.ErrorDetails.BUFFER_STALLED_ERROR,
        fatal: false,
        error: new Error('There is no media.'),
      });
    }
    forgetOldStalls();
    video.currentTime -= 0.4;
    page.gainedSeconds = 0;
    page.seenSeconds = video.currentTime;
    return { targetLatency: hls.targetLatency, stalls: stalls + 2 };
  });
  // On a busy computer it has stalled by itself, too.
  expect(after.targetLatency).toBeCloseTo(holdBackSeconds + 0.2 * after.stalls);
  const forward = page.waitForFunction((seconds) => {
    const page = window as unknown as StalledWindow;
    const { currentTime, playbackRate } = document.querySelector('video') as HTMLVideoElement;
    page.gainedSeconds += (currentTime - page.seenSeconds) * (1 - 1 / playbackRate);
    page.seenSeconds = currentTime;
    // Each look is ten quiet minutes later.
    page.nowMs += 600_000;
    page.forgetOldStalls();
    const { targetLatency, liveSyncPosition } = page.hls;
    const isNear = liveSyncPosition !== null && liveSyncPosition - currentTime < 0.15;
    // The edge also comes near by itself, when no media arrives or the broadcast ends.
    return targetLatency === seconds && isNear && page.gainedSeconds > 0.25;
  }, holdBackSeconds);
  await orTellStory(page, 'The picture has not come forward.', forward);
  isForward = true;
  await broadcasting;
});
