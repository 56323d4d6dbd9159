import { describe, expect, it } from 'vitest';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { encodeFlv } from '../support/ffmpeg.ts';
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
    const { shownSeconds, heights, exitCode, troubles } = await playWithGstreamer(player, stand.mediaUrl);
    expect({ heights, exitCode, troubles }).toEqual({ heights: [180], exitCode: 0, troubles: [] });
    expect(shownSeconds).toHaveLength(300);
    expect(uneven(shownSeconds)).toEqual([]);
  });

  it('plays a live stream near its edge without a hole', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encode(14);
    const packager = stand.createPackager({ targetSegmentSeconds: 1 });
    const head = tags.filter(({ timestampMs }) => timestampMs < 6000);
    for (const tag of head) packager.push(tag);
    const broadcasting = feedInRealTime(packager, tags.slice(head.length), 6000).then(() => stand.end());
    const { shownSeconds, troubles } = await playWithGstreamer(player, stand.multivariantUrl, { maxPictures: 210 });
    expect(troubles).toEqual([]);
    expect(shownSeconds).toHaveLength(210);
    expect(uneven(shownSeconds)).toEqual([]);
    await broadcasting;
  });
});

it('GStreamer, as playbin3, plays another picture after a publisher that returns', async () => {
  await using stand = await startPlaybackStand();
  for (const tags of await Promise.all([encode(4), encode(4, '640x360', [])])) {
    const packager = stand.createPackager({ targetSegmentSeconds: 1 });
    for (const tag of tags) packager.push(tag);
    packager.end();
  }
  stand.end();
  const { shownSeconds, heights, exitCode, troubles } = await playWithGstreamer('playbin3', stand.mediaUrl);
  expect({ heights, exitCode, troubles }).toEqual({ heights: [180, 360], exitCode: 0, troubles: [] });
  expect(shownSeconds).toHaveLength(240);
});
