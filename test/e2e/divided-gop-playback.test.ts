import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { hashPictures, probeFrames } from '../support/ffmpeg.ts';
import { mostLeftOutAtEnd } from '../support/left-out-parts.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { makeSource } from '../support/synthetic-source.ts';
import { playWithVlc } from '../support/vlc.ts';
import { openWatchedPlayer, playerWays } from '../support/watched-player.ts';

/** GOPs of 2 s, and then one of 12 s, which is divided. */
const keyframesAtSeconds = [0, 2, 4, 16, 18];
const seconds = 20;
const joinSeconds = 12;

let browser: Browser;
let tags: FlvTag[];
beforeAll(async () => {
  [browser, tags] = await Promise.all([
    launchChromium(),
    makeSource({
      seconds,
      rate: '30',
      gopFrames: 1_000,
      x264: ['-bf', '2', '-force_key_frames', keyframesAtSeconds.join(',')],
    }),
  ]);
});
afterAll(async () => {
  await browser.close();
});

test('players that join during a divided GOP play from its keyframe to the end', async () => {
  await using stand = await startPlaybackStand();
  await using stack = new AsyncDisposableStack();
  const packager = stand.createPackager();
  const head = tags.filter(({ timestampMs }) => timestampMs < joinSeconds * 1000);
  for (const tag of head) packager.push(tag);
  const players = await Promise.all(playerWays.map(async (way) => stack.use(await openWatchedPlayer(browser, way))));
  // Nothing new comes before all have joined, VLC and ffprobe too.
  const broadcasting = stand
    .mediaAsked('source', players.length + 2)
    .then(() => feedInRealTime(stand.endingWith(packager), tags.slice(head.length), joinSeconds * 1000));
  const [vlc, ffmpeg] = await Promise.all([
    playWithVlc(stand.mediaUrl),
    probeFrames(stand.mediaUrl),
    ...players.map((player) => player.play(stand.multivariantUrl)),
    broadcasting,
  ]);
  await Promise.all(players.map((player) => player.over()));
  for (const player of players) {
    const { fatal, ended, shown } = await player.read();
    expect({ fatal, ended }).toEqual({ fatal: [], ended: true });
    expect(shown[0]?.atSeconds).toBeLessThan(joinSeconds);
    expect(seconds - (shown.at(-1)?.atSeconds ?? 0)).toBeLessThan(mostLeftOutAtEnd(player.way, 2));
  }
  const sent = await hashPictures(tags);
  const began = sent.indexOf(vlc.pictures[0] ?? '');
  expect(keyframesAtSeconds).toContain(began / 30);
  expect(vlc.pictures).toEqual(sent.slice(began));
  expect(ffmpeg.stderr).toBe('');
  expect(ffmpeg.video.length).toBeGreaterThanOrEqual((seconds - joinSeconds) * 30);
}, 180_000);
