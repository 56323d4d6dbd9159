import { expect, it } from 'vitest';
import { hashPictures } from '../support/ffmpeg.ts';
import { hashSentFrom, makeLadder, startLiveLadder } from '../support/live-ladder.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { makeSource } from '../support/synthetic-source.ts';
import { playWithVlc, type VlcPlay } from '../support/vlc.ts';

/** Every picture a thirtieth of a second after the one before, and as much audio as video. */
function expectWhole({ shownSeconds, heardSeconds }: VlcPlay): void {
  const distances = shownSeconds.slice(1).map((time, index) => time - (shownSeconds[index] ?? 0));
  expect(Math.max(...distances)).toBeLessThan(0.0345);
  const heard = (heardSeconds.at(-1) ?? 0) - (heardSeconds[0] ?? 0);
  expect(heard).toBeGreaterThan((shownSeconds.at(-1) ?? 0) - 0.2);
}

it.concurrent('VLC plays every picture of an ended stream, and its audio', async () => {
  await using stand = await startPlaybackStand();
  const tags = await makeSource({ seconds: 8, rate: '30', gopFrames: 30, x264: ['-bf', '2'] });
  const packager = stand.createPackager({ targetSegmentSeconds: 1 });
  for (const tag of tags) packager.push(tag);
  packager.end();
  stand.end();
  const play = await playWithVlc(stand.mediaUrl);
  expect(play.pictures).toEqual(await hashPictures(tags));
  expectWhole(play);
});

it.concurrent('VLC plays a live ladder from near the live edge to its end, both source and smallest rendition, without a gap', async () => {
  const media = await makeLadder(9);
  await using ladder = await startLiveLadder({ ...media, headMs: 6000 });
  const [ofSource, ofSmall] = await Promise.all([
    playWithVlc(ladder.multivariantUrl, 'highest'),
    playWithVlc(ladder.multivariantUrl, 'lowest'),
    ladder.broadcastToTheEnd('source', '108p'),
  ]);
  for (const [play, tags] of [
    [ofSource, media.source],
    [ofSmall, media.renditions['108p']],
  ] as const) {
    const { pictures, fromSeconds } = await hashSentFrom(play.pictures[0], [tags]);
    expect(play.pictures).toEqual(pictures);
    expect([1, 2]).toContain(fromSeconds);
    expectWhole(play);
  }
});
