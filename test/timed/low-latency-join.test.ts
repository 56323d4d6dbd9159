import { expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, waitUntilPlayed } from '../support/player-page.ts';
import { broadcastOncePlayed, playAndRecord, type RecordingPlayer } from '../support/recording-player.ts';
import { makeSource } from '../support/synthetic-source.ts';

// At 30 fps a frame isn't a whole number of microseconds. At 25 fps it is, and players never had trouble.
it('hls.js that joins as a broadcast begins loads each part once, and plays close to the live edge', async () => {
  await using browser = await launchChromium();
  const tags = await makeSource({ seconds: 12, rate: '30', gopFrames: 30 });
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  // The first segment, which is one GOP, and the first part of the second.
  const broadcasting = broadcastOncePlayed(stand, { tags, headMs: 1_250, targetSegmentSeconds: 2 });
  await playAndRecord(page, stand.multivariantUrl, true);
  // Past the second and third segment.
  await waitUntilPlayed(page, 6);
  const { media, fatal, latency } = await page.evaluate(() => {
    const { media, fatal, hls } = window as unknown as RecordingPlayer;
    return { media, fatal, latency: hls.latency };
  });
  expect({ fatal, loadedTwice: media.filter((name, index) => media.indexOf(name) < index) }).toEqual({
    fatal: [],
    loadedTwice: [],
  });
  // A stall would have moved it back by a second.
  expect(latency).toBeLessThan(1.5);
  await broadcasting;
});
