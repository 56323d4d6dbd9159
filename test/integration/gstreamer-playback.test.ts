import { beforeAll, describe, expect, it } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { hashPictures } from '../support/ffmpeg.ts';
import { type GstreamerPlay, gstreamerPlayers, playWithGstreamer } from '../support/gstreamer.ts';
import { hashSentFrom, makeLadder, startLiveLadder } from '../support/live-ladder.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { makeSource } from '../support/synthetic-source.ts';

/** A keyframe every second, and pictures whose display order differs from their decoding order. */
const encode = (seconds: number, size = '320x180', x264 = ['-bf', '2']) =>
  makeSource({ seconds, size, rate: '30', gopFrames: 30, x264 });

/** Frames not shown a thirtieth of a second after the previous one; a publisher's end is rounded to a millisecond. */
const uneven = (shownSeconds: readonly number[]) =>
  shownSeconds.slice(1).filter((time, index) => Math.abs(time - (shownSeconds[index] ?? 0) - 1 / 30) > 0.0015);

const headMs = 6000;

/** A stream on air: the first publisher's start is available, and the rest follows in real time when somebody sees it. */
async function startLiveStream([first = [], ...others]: readonly (readonly FlvTag[])[]) {
  const stand = await startPlaybackStand();
  const startPublisher = () => stand.createPackager({ targetSegmentSeconds: 1 });
  const publisher = startPublisher();
  const head = first.filter(({ timestampMs }) => timestampMs < headMs);
  for (const tag of head) publisher.push(tag);
  const broadcast = async (seen: Promise<void>) => {
    await Promise.all([seen, stand.mediaAsked('source')]);
    await feedInRealTime(publisher, first.slice(head.length), headMs);
    for (const tags of others) await feedInRealTime(startPublisher(), tags);
    stand.end();
  };
  return { mediaUrl: stand.mediaUrl, broadcast, [Symbol.asyncDispose]: () => stand[Symbol.asyncDispose]() };
}

/**
 * A playback, and when the broadcast may continue. `playbin3` fails if the stream is over before it has shown a picture; `playbin` shows none
 * before there is more media.
 */
interface Playing {
  seen: Promise<void>;
  played: Promise<GstreamerPlay>;
}

function startPlaying(player: (typeof gstreamerPlayers)[number], url: string, connectionSpeedKbps?: number): Playing {
  const { promise: seen, resolve: onStart } = Promise.withResolvers<void>();
  if (player === 'playbin') onStart();
  const played = playWithGstreamer(player, url, { onStart, ...(connectionSpeedKbps !== undefined && { connectionSpeedKbps }) });
  return { seen, played };
}

/** It plays what was sent, from up to three segments before the newest complete one: the fifth, or the sixth. */
async function expectSent({ shownSeconds, ...played }: GstreamerPlay, publishers: readonly (readonly FlvTag[])[]) {
  const { pictures, fromSeconds } = await hashSentFrom(played.pictures[0], publishers);
  expect(played).toEqual({ pictures, exitCode: 0, troubles: [] });
  expect([1, 2]).toContain(fromSeconds);
  expect(uneven(shownSeconds)).toEqual([]);
}

let media: Awaited<ReturnType<typeof makeLadder>>;
beforeAll(async () => {
  media = await makeLadder(9);
});

describe.concurrent.each(gstreamerPlayers)('GStreamer, as %s,', (player) => {
  it('plays a live ladder from near the live edge to its end, both source and smallest rendition, each picture on time', async () => {
    await using ladder = await startLiveLadder({ ...media, headMs });
    const [source, small] = [100_000, 1].map((connectionSpeedKbps) =>
      startPlaying(player, ladder.multivariantUrl, connectionSpeedKbps),
    ) as [Playing, Playing];
    const [ofSource, ofSmall] = await Promise.all([
      source.played,
      small.played,
      Promise.all([source.seen, small.seen]).then(() => ladder.broadcastToTheEnd('source', '108p')),
    ]);
    await expectSent(ofSource, [media.source]);
    await expectSent(ofSmall, [media.renditions['108p']]);
  });

  it('keeps playing when a publisher is killed at a keyframe, before the segment has any audio, and returns', async () => {
    const whole = await encode(8, '320x180', []);
    const isLast = ({ kind, timestampMs }: FlvTag) => kind === 'video' && timestampMs >= 7000;
    const publishers = [whole.slice(0, whole.findIndex(isLast) + 1), whole.filter(({ timestampMs }) => timestampMs < 1000)];
    await using stream = await startLiveStream(publishers);
    const { seen, played } = startPlaying(player, stream.mediaUrl);
    const [play] = await Promise.all([played, stream.broadcast(seen)]);
    await expectSent(play, publishers);
  });
});

/**
 * Not as playbin3: its `hlsdemux2` occasionally fails on a short stream that has ended: it has everything, and reaches
 * the end, before its pads are exposed (`gst_adaptive_demux2_stream_end_of_manifest`: "Can't push EOS on non-exposed pad").
 */
it.concurrent('GStreamer, as playbin, plays every picture of an ended stream, from the first', async () => {
  await using stand = await startPlaybackStand();
  const tags = await encode(2);
  for (let publisher = 0; publisher < 2; publisher += 1) {
    const packager = stand.createPackager({ targetSegmentSeconds: 1 });
    for (const tag of tags) packager.push(tag);
    packager.end();
  }
  stand.end();
  const { shownSeconds, ...played } = await playWithGstreamer('playbin', stand.mediaUrl);
  const sent = await hashPictures(tags);
  expect(played).toEqual({ pictures: [...sent, ...sent], exitCode: 0, troubles: [] });
  expect(uneven(shownSeconds)).toEqual([]);
});

it.concurrent('GStreamer, as playbin3, plays a changed picture after a publisher returns', async () => {
  const publishers = [await encode(7), await encode(1, '640x360')];
  await using stream = await startLiveStream(publishers);
  const { seen, played } = startPlaying('playbin3', stream.mediaUrl);
  const [play] = await Promise.all([played, stream.broadcast(seen)]);
  await expectSent(play, publishers);
});
