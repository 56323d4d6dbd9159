import { expect, test } from 'vitest';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import {
  av1Frame,
  av1Header,
  broadcast,
  videoFrame,
  withMessageFrames,
  withoutKeyframes,
} from '../../../test/support/flv-builder.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { stampKeyframes } from '../../../test/support/stamp-keyframes.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { ArrivalPauses } from '../health/arrival-pauses.ts';
import type { TrackMemory } from '../hls/kept-tracks.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import { SegmentPlan } from '../hls/segment-plan.ts';
import type { PublisherSink } from '../ingest/publish-gate.ts';
import { ownSoftware } from '../lib/own-software.ts';
import { PublisherFeed } from './publisher-feed.ts';

/** When the publisher's clock reads 0, and how long its frames take to arrive. */
const startedAtMs = Date.UTC(2030, 0, 1);
const encodeMs = 70;
const uploadMs = 12;
const journeyMs = encodeMs + uploadMs;

function setUp({ notBeforeMs = 0, software = '', onSegment = (_: PackagedSegment) => {}, tracks = {} as TrackMemory } = {}) {
  const store = createSegmentStore({ windowSeconds: () => 600 });
  const publisher = createPublisher({ connectedAt: startedAtMs, ...(software !== '' && { software }) });
  const notes: LogEvent[] = [];
  const pauses = new ArrivalPauses();
  const feed = new PublisherFeed(publisher, {
    notBeforeMs: () => notBeforeMs,
    partMs: 200,
    sink: store,
    places: store.places,
    pauses,
    promised: () => store.targets,
    onSegment,
    onBeginAgain: () => {},
    onExcess: () => {},
    onNote: (_severity, event) => notes.push(event),
    tracks,
    renditions: { plan: new SegmentPlan(), onPlaced: () => {}, end: () => {} },
  });
  let arrival = { atMs: 0, wallMs: 0 };
  const sink: PublisherSink = {
    unit: (unit) => feed.push(unit, arrival),
    announce: (metadata) => feed.announce(metadata),
    leaveOut: (media) => feed.leaveOut(media, arrival),
    end: () => {},
  };
  const push = (tag: FlvTag, atMs: number) => {
    arrival = { atMs, wallMs: atMs };
    pushTag(sink, tag);
  };
  return {
    feed,
    notes,
    pauses,
    /** Feeds tags in real time from the first one: `pausedMs` later than their timestamps say. */
    play(tags: readonly FlvTag[], pausedMs = 0) {
      for (const tag of tags) {
        push(tag, startedAtMs + tag.timestampMs + pausedMs + journeyMs);
      }
    },
    push,
    /** Program date-times of the segments, in milliseconds from the start. */
    dates: () => store.segments.map(({ programDateTimeMs }) => programDateTimeMs - startedAtMs),
  };
}

const stampAt = (shownMs: number, aheadMs = 0) => {
  const capturedAtMs = startedAtMs + shownMs + aheadMs;
  return { capturedAtMs, encodedAtMs: capturedAtMs + encodeMs };
};

test('segments of frames with capture stamps are dated by those, with B-frames or without, others by their arrival', () => {
  const tags = (reorderMs: number) => broadcast({ durationMs: 6_100, reorderMs, gopFrames: 50 });
  const stage = setUp();
  stage.play(stampKeyframes(tags(80), (shownMs) => stampAt(shownMs)));
  expect(stage.dates()).toEqual([80, 2_080, 4_080]);
  const other = setUp();
  other.play(tags(0));
  expect(other.dates()).toEqual([journeyMs, 2_000 + journeyMs, 4_000 + journeyMs]);
});

test('dates follow a capture clock that runs a little faster than the timestamps, and ignore rounding', () => {
  const stage = setUp();
  const captures = [0, 2_001, 3_999, 6_003];
  stage.play(
    stampKeyframes(broadcast({ durationMs: 8_100, gopFrames: 50 }), (shownMs) => {
      const captureMs = captures[shownMs / 2_000];
      return captureMs === undefined ? undefined : stampAt(captureMs);
    }),
  );
  expect(stage.dates()).toEqual([0, 2_000, 4_000, 6_003]);
});

test('each segment is dated by its own stamp, even the first, which is made only when the next has begun', () => {
  const stage = setUp();
  stage.play(
    stampKeyframes(broadcast({ durationMs: 4_100, gopFrames: 50 }), (shownMs) => stampAt(shownMs, shownMs === 0 ? 26 : 0)),
  );
  expect(stage.dates()).toEqual([26, 2_000]);
});

test('stamps that begin in mid-stream date the segments from then on', () => {
  const stage = setUp();
  const tags = broadcast({ durationMs: 8_100, gopFrames: 50 });
  stage.play(stampKeyframes(tags, (shownMs) => (shownMs < 4_000 ? undefined : stampAt(shownMs))));
  expect(stage.dates()).toEqual([journeyMs, 2_000 + journeyMs, 4_000, 6_000]);
});

test('when stamps stop, dates continue from the capture clock for half a minute, and are then those of arrival', () => {
  const stage = setUp();
  const tags = broadcast({ durationMs: 40_100, gopFrames: 50 });
  stage.play(stampKeyframes(tags, (shownMs) => (shownMs > 0 ? undefined : stampAt(shownMs))));
  const dates = stage.dates();
  expect(dates.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, index) => index * 2_000));
  expect(dates.slice(16)).toEqual([32_000 + journeyMs, 34_000 + journeyMs, 36_000 + journeyMs, 38_000 + journeyMs]);
});

test('stamps that are not credible change nothing', () => {
  const stage = setUp();
  const tags = broadcast({ durationMs: 4_100, gopFrames: 50 });
  stage.play(stampKeyframes(tags, (shownMs) => stampAt(shownMs, shownMs === 0 ? 5_000 : -70_000)));
  expect(stage.dates()).toEqual([journeyMs, 2_000 + journeyMs]);
  expect(stage.feed.measures.latency(startedAtMs + 4_100)).toEqual({ fromCapture: false, packagingMs: expect.any(Number) });
});

test('timestamps that jump keep the capture clock: what follows is dated by its own stamps', () => {
  const stage = setUp();
  const stampBoth = (tags: readonly FlvTag[], aheadMs: number) => stampKeyframes(tags, (shownMs) => stampAt(shownMs, aheadMs));
  stage.play(stampBoth(broadcast({ durationMs: 4_000, gopFrames: 50 }), 0));
  const restarted = broadcast({ startMs: 3_600_000, durationMs: 4_100, gopFrames: 50 });
  stage.play(stampBoth(restarted, 4_500 - 3_600_000), 4_500 - 3_600_000);
  expect(stage.dates()).toEqual([0, 2_000, 4_500, 6_500]);
});

test('a publisher that returns is dated by its capture, even before the end of the media before', () => {
  const stage = setUp({ notBeforeMs: startedAtMs + 500 });
  stage.play(stampKeyframes(broadcast({ durationMs: 2_100, gopFrames: 50 }), (shownMs) => stampAt(shownMs)));
  expect(stage.dates()).toEqual([0]);
});

test('latency is broken down: encode and upload by the stamps, packaging for every publisher', () => {
  const tags = broadcast({ durationMs: 4_100, gopFrames: 50 });
  const stamped = setUp();
  expect(stamped.feed.measures.latency(startedAtMs)).toBeUndefined();
  stamped.play(stampKeyframes(tags, (shownMs) => stampAt(shownMs)));
  const plain = setUp();
  plain.play(tags);
  const now = startedAtMs + 4_100 + journeyMs;
  const packagingMs = plain.feed.measures.latency(now)?.packagingMs;
  expect(plain.feed.measures.latency(now)).toEqual({ fromCapture: false, packagingMs });
  expect(stamped.feed.measures.latency(now)).toEqual({ fromCapture: true, encodeMs, uploadMs, packagingMs });
  // A part of 200 ms is made with the first frame after it.
  expect(packagingMs).toBeGreaterThanOrEqual(200);
  expect(packagingMs).toBeLessThanOrEqual(240);
});

test('the meters tell what arrives, and what the publisher says of itself, at once or piece by piece', () => {
  const stage = setUp({ software: 'FMLE/3.0 (compatible; Lavf60.3.100)' });
  const said = { statedSoftware: undefined, fps: undefined, bitrateBps: undefined, announcesVideo: true };
  const now = startedAtMs + 10_000 + journeyMs;
  stage.play(broadcast({ durationMs: 10_000, frameBytes: 10_000 }));
  const meters = {
    measuredAt: now,
    // 25 frames, and 47 of audio that are small.
    bitrateBps: expect.closeTo(2_000_000 + 47 * 100, -5),
    fps: expect.closeTo(25, 1),
    droppedFrames: undefined,
    width: 1280,
    height: 720,
    keyframeIntervalSeconds: 2,
    videoCodec: 'avc1.4d401f',
    audioCodec: 'mp4a.40.2',
    audioSampleRateHz: 48_000,
    audioChannels: 2,
    protocol: 'RTMP',
    encoderName: 'FFmpeg',
  };
  expect(stage.feed.measures.meters(now)).toEqual(meters);
  stage.feed.announce({ ...said, bitrateBps: 2_128_000, fps: 25 });
  stage.feed.announce({ ...said, statedSoftware: 'obs-output module (libobs version 30.2.2)' });
  stage.feed.announce(said);
  expect([stage.feed.measures.meters(now), stage.feed.measures.nominalFps]).toEqual([
    {
      ...meters,
      targetBitrateBps: 2_128_000,
      encoder: 'obs-output module (libobs version 30.2.2)',
      encoderName: 'OBS Studio 30.2.2',
    },
    25,
  ]);
  // While nothing arrives, the last ones stay, with their age.
  expect(stage.feed.measures.meters(now + 10_000)?.measuredAt).toBe(now);
});

test('a publisher that announces more frames than its source makes drops none, as far as is known', () => {
  const stage = setUp();
  stage.feed.announce({ statedSoftware: undefined, fps: 30, bitrateBps: undefined, announcesVideo: true });
  stage.play(broadcast({ durationMs: 15_000, fps: 15 }));
  const { droppedFrames, isSlower } = stage.feed.measures.meters(startedAtMs + 15_000 + journeyMs) ?? {};
  expect([stage.feed.measures.nominalFps, droppedFrames, isSlower]).toEqual([30, undefined, true]);
});

test('messages without a picture before each frame count as bytes, not as frames', () => {
  const tags = broadcast({ durationMs: 15_000, fps: 30 }).filter(
    ({ kind, timestampMs }) => kind !== 'video' || timestampMs < 4_500 || timestampMs >= 5_500,
  );
  const metersOf = (sent: readonly FlvTag[]) => {
    const stage = setUp();
    stage.feed.announce({ statedSoftware: undefined, fps: 30, bitrateBps: undefined, announcesVideo: true });
    stage.play(sent);
    const { bitrateBps = 0, ...meters } = stage.feed.measures.meters(startedAtMs + 15_000 + journeyMs) ?? {};
    return { dates: stage.dates(), bitrateBps, meters };
  };
  const [plain, other] = [metersOf(tags), metersOf(withMessageFrames(tags))];
  expect(plain.meters).toMatchObject({ fps: expect.closeTo(30, 1), droppedFrames: { count: 30 } });
  expect([other.meters, other.dates]).toEqual([plain.meters, plain.dates]);
  expect(other.bitrateBps).toBeGreaterThan(plain.bitrateBps);
});

test('of our own encoder each GOP of a second is a segment, so that video shows sooner; of others only the first', () => {
  const datesOf = (software: string) => {
    const stage = setUp({ software });
    stage.play(broadcast({ durationMs: 6_100, gopFrames: 25 }));
    return stage.dates().map((date) => date - journeyMs);
  };
  expect([datesOf(ownSoftware), datesOf('')]).toEqual([
    [0, 1_000, 2_000, 3_000, 4_000, 5_000],
    [0, 1_000, 3_000],
  ]);
});

test('a track that goes away shows in the meters at once, as does its return', () => {
  const stage = setUp();
  const away = (kind: FlvTag['kind'], fromMs: number, toMs: number) => (tag: FlvTag) =>
    tag.kind !== kind || tag.timestampMs < fromMs || tag.timestampMs >= toMs;
  const tags = broadcast({ durationMs: 20_000 })
    .filter(away('audio', 3_000, 6_000))
    .filter(away('video', 9_000, 16_000));
  const measured = tags.map((tag) => {
    stage.play([tag]);
    return stage.feed.measures.meters(startedAtMs + tag.timestampMs + journeyMs)?.away;
  });
  expect(measured.filter((one, index) => one !== measured[index - 1])).toEqual([...['sound', undefined, 'picture', undefined]]);
});

test('a picture that never had a keyframe shows in the meters as away, whether its frames come or not', () => {
  const stage = setUp();
  const tags = broadcast({ durationMs: 20_000, gopFrames: 1_000 }).filter(
    ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 4_000,
  );
  const keyless = tags.filter(
    (tag) => tag.kind === 'audio' || tag.timestampMs > 0 || tag.body[0] !== 0x17 || tag.body[1] === 0,
  );
  const measured = keyless.map((tag) => {
    stage.play([tag]);
    return { timestampMs: tag.timestampMs, away: stage.feed.measures.meters(startedAtMs + tag.timestampMs + journeyMs)?.away };
  });
  const first = measured.find(({ away }) => away === 'picture');
  // A black picture stands in for it from then on.
  expect(measured.find(({ timestampMs }) => timestampMs >= 4_500)).toEqual(first);
  expect(measured.at(-1)?.away).toBe('picture');
});

test('a picture that cannot be held is away if the next publisher of the session sends only sound', () => {
  const tracks: TrackMemory = {};
  const sound = broadcast({ durationMs: 8_000, video: false });
  const picture = Array.from({ length: 200 }, (_, index) => av1Frame(index * 40, { keyframe: index % 25 === 0 }));
  const byTime = [...picture, ...sound].sort((one, other) => one.timestampMs - other.timestampMs);
  const first = setUp({ tracks });
  first.play([av1Header(), ...byTime]);
  first.feed.finish();
  const next = setUp({ tracks });
  next.play(sound);
  const nowMs = startedAtMs + 8_000 + journeyMs;
  expect([first.feed.measures.meters(nowMs), next.feed.measures.meters(nowMs)]).toMatchObject([
    { videoCodec: 'av01.0.00M.08', away: undefined },
    { videoCodec: undefined, away: 'picture' },
  ]);
});

test.each([
  ['30 s ahead', 30_000, true],
  ['8 s ahead', 8_000, true],
  ['an hour behind', -3_600_000, true],
  ['8 s behind', -8_000, true],
  ['3 s ahead', 3_000, undefined],
  ['3 s behind', -3_000, undefined],
])('sound that is stamped %s of the picture shows in the meters if silence replaces it', (_what, apartMs, isSoundApart) => {
  const startMs = 4_000_000;
  const stage = setUp();
  for (const tag of broadcast({ startMs, durationMs: 20_000 })) {
    const timestampMs = tag.timestampMs + (tag.kind === 'audio' ? apartMs : 0);
    stage.push({ ...tag, timestampMs }, startedAtMs + tag.timestampMs - startMs);
  }
  const meters = stage.feed.measures.meters(startedAtMs + 20_000);
  expect([meters?.isSoundApart, meters?.away, meters?.audioCodec]).toEqual([
    isSoundApart,
    isSoundApart && 'sound',
    'mp4a.40.2',
  ]);
});

test('sound that starts late is not timed apart', () => {
  const stage = setUp();
  const apart = new Set<boolean | undefined>();
  for (const tag of broadcast({ durationMs: 35_000, gopFrames: 250, audioFromMs: 20_500 })) {
    stage.push(tag, startedAtMs + tag.timestampMs);
    apart.add(stage.feed.measures.meters(startedAtMs + tag.timestampMs)?.isSoundApart);
  }
  expect([...apart]).toEqual([undefined]);
});

test('a picture without keyframes is away, though its frames arrive with the sound', () => {
  const stage = setUp();
  const metersAt = (durationMs: number, startMs = 0) => {
    stage.play(withoutKeyframes(broadcast({ startMs, durationMs, headers: startMs === 0 })));
    return stage.feed.measures.meters(startedAtMs + startMs + durationMs + journeyMs);
  };
  expect(metersAt(4_400)).not.toHaveProperty('isWithoutKeyframe');
  expect(metersAt(5_000, 4_400)).toMatchObject({ away: 'picture', isWithoutKeyframe: true });
  stage.play(broadcast({ startMs: 9_400, durationMs: 3_000 }));
  expect(stage.feed.measures.meters(startedAtMs + 12_400 + journeyMs)).toMatchObject({ away: undefined });
});

test('video that is awaited, and then held, moves no date: the publisher is not slow', () => {
  const stage = setUp();
  stage.play(
    broadcast({ durationMs: 30_100 }).filter(
      ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 10_000 || timestampMs >= 20_000,
    ),
  );
  expect(stage.dates()).toEqual(Array.from({ length: 15 }, (_, index) => index * 2_000 + journeyMs));
});

test('without metadata about video, a keyframe is awaited after a second of video without one', () => {
  const video = broadcast({ durationMs: 1_100, gopFrames: 100 }).filter(({ kind }) => kind === 'video');
  const [header, keyframe, ...frames] = video as [FlvTag, FlvTag];
  const stage = setUp();
  stage.play([header, ...frames.slice(0, 10)]);
  expect(stage.feed.measures.isAwaitingKeyframe).toBe(false);
  stage.play(frames.slice(10));
  expect(stage.feed.measures.isAwaitingKeyframe).toBe(true);
  stage.play([keyframe]);
  expect(stage.feed.measures.isAwaitingKeyframe).toBe(false);
});

test('a publisher whose second keyframe is overdue awaits it', () => {
  const stage = setUp();
  stage.play(broadcast({ durationMs: 4_040, gopFrames: 1_000 }));
  expect(stage.feed.measures.isAwaitingKeyframe).toBe(false);
  stage.play(
    broadcast({ startMs: 4_040, durationMs: 1_000, gopFrames: 1_000, headers: false }).filter(({ body }) => body[0] !== 0x17),
  );
  expect(stage.feed.measures.isAwaitingKeyframe).toBe(true);
  stage.play([videoFrame(5_040, { keyframe: true })]);
  expect(stage.feed.measures.isAwaitingKeyframe).toBe(false);
});

test('a publisher pauses while it sends nothing; one track that is missing is no pause', () => {
  const pausesWithout = (isLeftOut: (tag: FlvTag) => boolean) => {
    const stage = setUp();
    stage.play(broadcast({ durationMs: 20_000 }).filter((tag) => !isLeftOut(tag)));
    return stage.pauses.recent(startedAtMs + 20_000 + journeyMs);
  };
  const within = (fromMs: number, toMs: number) => (tag: FlvTag) => tag.timestampMs >= fromMs && tag.timestampMs < toMs;
  const none = { count: 0, seconds: 0 };
  expect(pausesWithout((tag) => tag.kind === 'audio' && within(6_000, 12_000)(tag))).toEqual(none);
  expect(pausesWithout((tag) => tag.kind === 'video' && within(6_000, 12_000)(tag))).toEqual(none);
  expect(pausesWithout(within(6_000, 6_900))).toEqual(none);
  expect(pausesWithout(within(6_000, 7_400))).toEqual({ count: 1, seconds: expect.closeTo(1.4, 1) });
});

test('meters, also those of renditions, count by the wall clock if a publisher is slower than real time', () => {
  const stage = setUp();
  const tags = broadcast({ durationMs: 20_000 });
  for (const tag of tags) stage.push(tag, startedAtMs + tag.timestampMs / 0.7);
  expect(stage.feed.measures.pace).toBeCloseTo(0.7, 1);
});

test.each([4, 16])(
  'of a push at %i times real time no segment is dated in the future, nor its parts by more than its own length',
  (speed) => {
    let nowMs = startedAtMs;
    const ahead: { beginsMs: number; endsMs: number }[] = [];
    const { feed, push } = setUp({
      onSegment({ programDateTimeMs, durationSeconds }) {
        const beginsMs = programDateTimeMs - nowMs;
        ahead.push({ beginsMs, endsMs: beginsMs + durationSeconds * 1000 });
      },
    });
    for (const tag of broadcast({ durationMs: 60_000, gopFrames: 50 })) {
      nowMs = startedAtMs + Math.round(tag.timestampMs / speed);
      push(tag, nowMs);
    }
    expect(ahead.length).toBeGreaterThan(25);
    expect(Math.max(...ahead.map(({ beginsMs }) => beginsMs))).toBeLessThanOrEqual(0);
    expect(Math.max(...ahead.map(({ endsMs }) => endsMs))).toBeLessThanOrEqual(2_000);
    feed.finish();
  },
);
