import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { clockSeconds, makeClockSource } from '../support/clock-picture.ts';
import { countMovedDates } from '../support/dated-segments.ts';
import { decodeAll } from '../support/ffmpeg.ts';
import { createLadderStream } from '../support/ladder-stream.ts';
import { describePlay, expectedPlay } from '../support/lossy-play.ts';
import { type LossyPublisher, startLossyPublisher } from '../support/lossy-publisher.ts';
import { startTestService } from '../support/test-service.ts';
import { openWatchedPlayer, playerWays } from '../support/watched-player.ts';

/** With fewer segments, shaka-player fails to load. */
const leastSegments = 4;

let browser: Browser;
let service: Awaited<ReturnType<typeof startTestService>>;
let source: FlvTag[];
beforeAll(async () => {
  [browser, service, source] = await Promise.all([launchChromium(), startTestService(), makeClockSource()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), service.close()]);
});

/** What happens during a broadcast; `played` resolves when every player has played a second of it. */
interface Course {
  name: string;
  run: (publisher: LossyPublisher, played: () => Promise<void>) => Promise<void>;
}

/** Plays the broadcast to its end in every player, in parallel. */
async function playCourse({ name, run }: Course): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const players = await Promise.all(playerWays.map(async (way) => stack.use(await openWatchedPlayer(browser, way))));
  const stream = await createLadderStream(service, name, []);
  const publisher = stack.use(startLossyPublisher(stream.publishTarget, source, clockSeconds));
  await run(publisher, async () => {
    await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= leastSegments);
    await Promise.all(players.map((player) => player.play(stream.multivariantUrl)));
  });
  const seconds = await publisher.end();
  await Promise.all(players.map((player) => player.over()));
  const broadcast = { seconds, lost: publisher.lost };
  const plays = await Promise.all(players.map((player) => describePlay(player, broadcast)));
  const moved = await countMovedDates(stream.mediaUrl('source'));
  expect(plays).toEqual(playerWays.map((way) => expectedPlay(way, broadcast, moved)));
  expect(await decodeAll(stream.mediaUrl('source'))).toEqual({ exitCode: 0, stderr: '' });
}

const timeout = 150_000;

describe('a track that is lost, returns, and ends long before the other', () => {
  test.concurrent.each<Course>([
    {
      name: 'audio',
      run: async (publisher, played) => {
        await played();
        await publisher.loseFor('audio', 5);
        await publisher.goOn(3);
        publisher.lose('audio', 0.5);
        await publisher.goOn(4);
      },
    },
    {
      name: 'video',
      run: async (publisher, played) => {
        await played();
        await publisher.loseFor('video', 6);
        await publisher.goOn(3);
        publisher.lose('video');
        await publisher.goOn(6);
      },
    },
  ])('players in Chromium keep playing without the $name, to the end', { timeout }, playCourse);
});

describe('an announced track', () => {
  // One at a time: with nine players at once, two cores stall for half a second, and shaka-player then leaves a hole.
  test.each<Course>([
    {
      name: 'audio comes late',
      run: async (publisher, played) => {
        publisher.lose('audio');
        await played();
        publisher.find('audio');
        await publisher.goOn(4);
      },
    },
    {
      name: 'audio never comes',
      run: async (publisher, played) => {
        publisher.lose('audio');
        await played();
        await publisher.goOn(3);
      },
    },
    {
      name: 'video comes late',
      run: async (publisher, played) => {
        publisher.lose('video');
        await played();
        publisher.find('video');
        await publisher.goOn(4);
      },
    },
  ])('players in Chromium play a broadcast whose $name, to the end', { timeout }, playCourse);
});
