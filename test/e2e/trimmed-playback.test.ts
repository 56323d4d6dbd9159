import type Hls from 'hls.js';
import type { Part } from 'hls.js';
import { expect, test } from 'vitest';
import type { trimBackBuffer } from '../../src/renderer/features/monitor/back-buffer.ts';
import { smallPlayer } from '../../src/renderer/features/monitor/hls-settings.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { addPageModule } from '../support/page-script.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, orTellStory, type PlayerLog, waitForEnd, waitUntilPlayed } from '../support/player-page.ts';
import { broadcastOncePlayed } from '../support/recording-player.ts';
import { makeSource } from '../support/synthetic-source.ts';

/** How long the broadcast is at least. */
const seconds = 16;
const headMs = 4_100;
/** The buffer begins later than this once what was played first has been removed, in seconds. */
const trimmedSeconds = headMs / 1000 + 1;

interface TrimmedWindow extends PlayerLog {
  Hls: typeof Hls;
  trimBackBuffer: typeof trimBackBuffer;
  /** Parts that hls.js has buffered and no longer knows, by segment and part. */
  forgotten: string[];
}

test('hls.js still knows every part of the segment that it loads after what was played is removed', async () => {
  await using browser = await launchChromium();
  const tags = await makeSource({ seconds: 2 * seconds, rate: '30', gopFrames: 30 });
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  await addPageModule(page, 'features/monitor/back-buffer.ts', 'trimBackBuffer');
  // Half of the time a part is on its way.
  await page.route(/\d+-\d+\.m4s/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await route.continue();
  });
  let isTrimmed = false;
  const isOver = ({ timestampMs }: FlvTag) => isTrimmed && timestampMs >= seconds * 1000;
  const broadcasting = broadcastOncePlayed(stand, { tags, headMs, targetSegmentSeconds: 1, isOver });
  await page.evaluate(
    ([url, { hls: settings, backSeconds }]) => {
      const page = window as unknown as TrimmedWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      const hls = new page.Hls({ ...settings, debug: page.logger });
      const { Events } = page.Hls;
      page.forgotten = [];
      const has = new Set<string>();
      const name = ({ fragment, index }: Pick<Part, 'fragment' | 'index'>) => `${fragment.sn}.${index}`;
      // On a busy computer, what is on its way when a removal begins arrives during it.
      const { remove } = SourceBuffer.prototype;
      SourceBuffer.prototype.remove = function (...range) {
        const now = () => remove.apply(this, range);
        if (hls.inFlightFragments.main.state === 'IDLE') now();
        else hls.once(Events.FRAG_PARSED, () => queueMicrotask(now));
      };
      hls.on(Events.FRAG_BUFFERED, (_event, { part }) => part && has.add(name(part)));
      hls.on(Events.BUFFER_FLUSHED, () => {
        const parts = hls.latestLevelDetails?.partList ?? [];
        const loading = hls.inFlightFragments.main.frag?.sn;
        const lost = parts.filter((part) => part.fragment.sn === loading && has.has(name(part)) && !part.loaded);
        page.forgotten.push(...lost.map(name));
      });
      page.trimBackBuffer(hls, video, backSeconds);
      hls.loadSource(url);
      hls.attachMedia(video);
      void video.play();
    },
    [stand.multivariantUrl, smallPlayer] as const,
  );
  await waitUntilPlayed(page, 1);
  // On a busy computer it happens only once it is overdue, and the picture may be far behind.
  const trimmed = page.waitForFunction((least) => {
    const { buffered } = document.querySelector('video') as HTMLVideoElement;
    return buffered.length > 0 && buffered.start(0) > least;
  }, trimmedSeconds);
  await orTellStory(page, 'What was played has not been removed.', trimmed);
  isTrimmed = true;
  await broadcasting;
  await waitForEnd(page);
  const { forgotten, startSeconds } = await page.evaluate(() => {
    const { forgotten } = window as unknown as TrimmedWindow;
    return { forgotten, startSeconds: document.querySelector('video')?.buffered.start(0) };
  });
  expect(forgotten).toEqual([]);
  expect(startSeconds).toBeGreaterThan(trimmedSeconds);
});
