import { describe, expect, it } from 'vitest';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { encodeFlv, hashPictures } from '../support/ffmpeg.ts';
import { gstreamerPlayers, playWithGstreamer } from '../support/gstreamer.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';

const encode = (seconds: number, size = '320x180', extra: readonly string[] = ['-bf', '2']) =>
  encodeFlv([
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30', ...extra, '-c:a', 'aac'],
  ]);

/** Frames that are not shown a thirtieth of a second after the one before; a publisher's end is rounded to a millisecond. */
const uneven = (shownSeconds: readonly number[]) =>
  shownSeconds.slice(1).filter((time, index) => Math.abs(time - (shownSeconds[index] ?? 0) - 1 / 30) > 0.0015);

describe.each(gstreamerPlayers)('GStreamer, as %s,', (player) => {
  it('plays every frame to the end, through a publisher that returns, each when it should be shown', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encode(5);
    for (let publisher = 0; publisher < 2; publisher += 1) {
      const packager = stand.createPackager({ targetSegmentSeconds: 1 });
      for (const tag of tags) packager.push(tag);
      packager.end();
    }
    stand.end();
    const { shownSeconds, ...played } = await playWithGstreamer(player, stand.mediaUrl);
    const sent = await hashPictures(tags);
    expect(played).toEqual({ pictures: [...sent, ...sent], exitCode: 0, troubles: [] });
    expect(uneven(shownSeconds)).toEqual([]);
  });

  it('plays a live stream near its edge without a hole', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encode(14);
    const packager = stand.createPackager({ targetSegmentSeconds: 1 });
    const head = tags.filter(({ timestampMs }) => timestampMs < 6000);
    for (const tag of head) packager.push(tag);
    const broadcasting = feedInRealTime(packager, tags.slice(head.length), 6000).then(() => stand.end());
    const { shownSeconds, pictures, troubles } = await playWithGstreamer(player, stand.multivariantUrl, { maxPictures: 210 });
    expect(troubles).toEqual([]);
    const sent = await hashPictures(tags);
    const first = sent.indexOf(pictures[0] ?? '');
    expect(pictures).toEqual(sent.slice(first, first + 210));
    expect(uneven(shownSeconds)).toEqual([]);
    await broadcasting;
  });
});

it('GStreamer, as playbin3, plays another picture after a publisher that returns', async () => {
  await using stand = await startPlaybackStand();
  const sources = await Promise.all([encode(4), encode(4, '640x360', [])]);
  for (const tags of sources) {
    const packager = stand.createPackager({ targetSegmentSeconds: 1 });
    for (const tag of tags) packager.push(tag);
    packager.end();
  }
  stand.end();
  const { pictures, exitCode, troubles } = await playWithGstreamer('playbin3', stand.mediaUrl);
  const sent = await Promise.all(sources.map(hashPictures));
  expect({ pictures, exitCode, troubles }).toEqual({ pictures: sent.flat(), exitCode: 0, troubles: [] });
});
