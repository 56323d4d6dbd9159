import { describe, expect, it } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { av1Frame, av1Header, type BroadcastOptions, broadcast, videoHeader } from '../../../test/support/flv-builder.ts';
import { sendAudioLate } from '../../../test/support/late-audio.ts';
import { movePlaced } from '../../../test/support/move-placed.ts';
import { segmentBytes, startedAtMs } from '../../../test/support/pack.ts';
import { readSegment } from '../../../test/support/read-segment.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import { formatMediaPlaylist } from './playlist/media-playlist.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';
import type { SegmentStore } from './segment-store.ts';

/** Feeds a source, and `lateUnits` units later a rendition with the result of `encode` for each unit. */
function transcode(
  tags: readonly FlvTag[],
  encode: (unit: PlacedUnit) => PlacedUnit | undefined = (unit) => unit,
  { lateUnits = 40, breakAtMs }: { lateUnits?: number; breakAtMs?: number } = {},
) {
  const plan = new SegmentPlan();
  const source = createSegmentStore();
  const rendition = createSegmentStore();
  const encoded: PlacedUnit[] = [];
  const packager = new TagPackager({
    startedAtMs,
    sink: source,
    plan,
    onPlaced: (unit) => {
      const result = encode(unit);
      if (result) encoded.push(result);
    },
  });
  const whole: (boolean | undefined)[] = [];
  const follower = new RenditionPackager({
    sink: rendition,
    plan,
    onSegment: ({ gap }) => whole.push(!gap),
  });
  let breaksAtMs = breakAtMs;
  const follow = (unit: PlacedUnit) => {
    if (breaksAtMs !== undefined && unit.type === 'video' && unit.dts > breaksAtMs) {
      follower.breakOff();
      breaksAtMs = undefined;
    }
    follower.push(unit);
  };
  for (const tag of tags) {
    packager.push(tag);
    while (encoded.length > lateUnits) follow(encoded.shift() as PlacedUnit);
  }
  packager.end();
  for (const unit of encoded) follow(unit);
  follower.end();
  return { source, rendition, whole };
}

const places = ({ segments }: SegmentStore) =>
  segments.map(({ msn, discontinuity, discontinuitySequence, programDateTimeMs }) => ({
    msn,
    discontinuity,
    discontinuitySequence,
    programDateTimeMs,
  }));
const isConfig = ({ type }: PlacedUnit) => type === 'config';
/** The fields that a media playlist is made from, after the end. */
const textFields = ({ segments, targetDurationSeconds, partTargetSeconds, partSegments }: SegmentStore) => ({
  segments,
  targetDurationSeconds,
  partTargetSeconds,
  partSegments,
  ended: true,
});
const samplesOf = ({ segments }: Pick<SegmentStore, 'segments'>, track: number) =>
  segments.map(({ parts }) => parts.map(({ bytes }) => readSegment(bytes).get(track) ?? []));
const soundCounts = ({ segments }: SegmentStore) =>
  segments.map((segment) => readSegment(segmentBytes(segment)).get(2)?.length ?? 0);
const frameCounts = ({ segments }: SegmentStore) => segments.map(({ videoFrames }) => videoFrames);
/** When the first frame of each segment is decoded, in milliseconds. */
const startsMs = (store: SegmentStore) =>
  samplesOf(store, 1)
    .flatMap((parts) => parts.flat().slice(0, 1))
    .map(({ dts }) => dts / 90);
const gaps = ({ segments }: SegmentStore) => segments.filter(({ gap }) => gap).map(({ msn }) => msn);
const seconds = ({ segments }: SegmentStore) => segments.map(({ durationSeconds }) => durationSeconds);

const broadcasts: [name: string, options: BroadcastOptions][] = [
  ['25 fps', { durationMs: 9000 }],
  ['23.976 fps', { durationMs: 9000, fps: 24_000 / 1001, gopFrames: 24 }],
  ['29.97 fps', { durationMs: 9000, fps: 30_000 / 1001, gopFrames: 60 }],
  ['60 fps, a GOP of half a second', { durationMs: 9000, fps: 60, gopFrames: 30 }],
  ['a GOP of 10 s', { durationMs: 31_000, gopFrames: 250 }],
  ['B-frames', { durationMs: 9000, reorderMs: 80 }],
  ['key frames only', { durationMs: 9000, gopFrames: 1 }],
  ['key frames only, at 60 fps', { durationMs: 9000, fps: 60, gopFrames: 1 }],
  ['no audio', { durationMs: 9000, audioToMs: 0 }],
  ['audio only at first', { durationMs: 20_000, audioToMs: 5000 }],
  ['audio only', { durationMs: 9000, video: false }],
  ['a key frame only at the start', { durationMs: 65_000, gopFrames: 10_000 }],
];

/** AV1 for two seconds, whose picture can't be held, and audio for ten. */
const videoThatEnds = [
  av1Header(),
  ...broadcast({ durationMs: 10_000, video: false }),
  ...Array.from({ length: 50 }, (_, index) => av1Frame(index * 40, { keyframe: index % 25 === 0 })),
].sort((one, other) => one.timestampMs - other.timestampMs);

/** How far the media of a store reaches, in seconds. */
const madeSeconds = ({ segments, open }: SegmentStore) =>
  [...segments, ...(open?.parts ?? [])].reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);

describe('a rendition', () => {
  it.each(broadcasts)('has the segments of its source: %s', (_name, options) => {
    const { source, rendition, whole } = transcode(broadcast(options));
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([]);
    expect(frameCounts(rendition)).toEqual(frameCounts(source));
    for (const [index, ms] of startsMs(rendition).entries())
      expect(Math.abs(ms - (startsMs(source)[index] ?? 0))).toBeLessThan(1);
    expect(whole).toHaveLength(source.segments.length);
    for (const [index, duration] of seconds(rendition).entries()) expect(duration).toBeCloseTo(seconds(source)[index] ?? 0, 9);
  });

  it.each([
    // Where a GOP is divided, a rendition first waits for a keyframe.
    ...broadcasts
      .filter(([, { gopFrames = 0 }]) => gopFrames < 10_000)
      .map(([name, options]): [string, FlvTag[]] => [name, broadcast(options)]),
    ['video that ends, without a picture to hold', videoThatEnds],
  ])('whose encoder takes no time has each part when its source does: %s', (_name, tags) => {
    const plan = new SegmentPlan();
    const source = createSegmentStore();
    const rendition = createSegmentStore();
    const follower = new RenditionPackager({ sink: rendition, plan, onSegment: () => {} });
    const packager = new TagPackager({ startedAtMs, sink: source, plan, onPlaced: (unit) => follower.push(unit) });
    // The source may decide by a unit after it has passed it on.
    const behind = tags.filter((tag) => {
      const madeBefore = madeSeconds(source);
      packager.push(tag);
      return madeSeconds(rendition) < madeBefore - 0.000_001;
    });
    expect(behind).toEqual([]);
    expect(madeSeconds(rendition)).toBeGreaterThan(8);
  });

  it('whose keyframes are 2 ms off those of the source still has its segments', () => {
    const { source, rendition } = transcode(broadcast({ durationMs: 9000, reorderMs: 80 }), (unit) =>
      movePlaced(unit, Math.floor(unit.dts / 1000) % 2 === 0 ? 2 : -2),
    );
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([]);
  });

  it.each([
    ['forward by an hour', 3_600_000],
    ['back', -8000],
  ])('follows over timestamps that jump %s', (_name, byMs) => {
    const after = broadcast({ startMs: 14_000 + byMs, durationMs: 4000, headers: false });
    const { source, rendition } = transcode([...broadcast({ startMs: 10_000, durationMs: 4000 }), ...after]);
    expect(places(rendition)).toEqual(places(source));
    expect(source.segments).toHaveLength(4);
    expect(gaps(rendition)).toEqual([]);
  });

  it('that joins late has gaps, then the rest of its source: numbers, discontinuities, times and parts', () => {
    const first = broadcast({ durationMs: 5000 });
    const second = broadcast({ startMs: 100_000, durationMs: 5000, headers: false });
    const third = broadcast({ startMs: 200_000, durationMs: 7000, headers: false });
    const joins = 202_500;
    const { source, rendition } = transcode([...first, ...second, ...third], (unit) =>
      unit.dts > joins || isConfig(unit) ? unit : undefined,
    );
    expect(source.segments.map(({ msn, discontinuitySequence }) => [msn, discontinuitySequence])).toEqual(
      // Of 5 s and 5 s and 7 s, in segments of 2 s.
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((msn) => [msn, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2][msn]]),
    );
    const rest = { ...textFields(source), segments: source.segments.slice(8) };
    const tail = { ...textFields(rendition), segments: rendition.segments.slice(8) };
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(formatMediaPlaylist(tail)).toBe(formatMediaPlaylist(rest));
    expect(formatMediaPlaylist(rest)).toContain('#EXT-X-MEDIA-SEQUENCE:8\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n');
    expect(samplesOf(tail, 1)).toEqual(samplesOf(rest, 1));
    // Audio stays where the rounding of its first frame put it.
    const audioMs = (store: Pick<SegmentStore, 'segments'>) =>
      samplesOf(store, 2)
        .flat(2)
        .map(({ dts }) => dts / 48);
    const expected = audioMs(rest);
    expect(audioMs(tail)).toHaveLength(expected.length);
    for (const [index, ms] of audioMs(tail).entries()) expect(Math.abs(ms - (expected[index] ?? 0))).toBeLessThan(1);
  });

  it.each([
    [20, 'lasts no longer'],
    [60, 'is left out'],
  ])('ends where its source does before a discontinuity: a last frame that is %i ms later %s', (lateMs) => {
    const after = broadcast({ startMs: 100_000, durationMs: 5000, headers: false });
    const { source, rendition } = transcode([...broadcast({ durationMs: 5000 }), ...after], (unit) =>
      unit.type === 'video' && unit.timeline === 0 && unit.dts >= 4960 ? movePlaced(unit, lateMs) : unit,
    );
    const endsMs = (store: SegmentStore) =>
      samplesOf(store, 1).map((parts) => {
        const { dts, duration } = parts.flat().at(-1) ?? { dts: Number.NaN, duration: Number.NaN };
        return (dts + duration) / 90;
      });
    expect(endsMs(source)).toEqual([2000, 4000, 5000, 7000, 9000, 10_000]);
    expect(endsMs(rendition)).toEqual(endsMs(source));
    expect(places(rendition)).toEqual(places(source));
    const partSeconds = ({ segments }: SegmentStore) =>
      segments.map(({ parts }) => parts.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0).toFixed(5));
    expect(partSeconds(rendition)).toEqual(partSeconds(source));
  });

  it.each([
    { name: 'at that end', durationMs: 5000, lastFrames: 1, lateMs: 60, lateUnits: 0 },
    { name: 'before that end', durationMs: 4720, lastFrames: 3, lateMs: 150, lateUnits: 3 },
  ])(
    'leaves out last frames that begin after the end of its source, though the part before was made by then and ended $name',
    ({ durationMs, lastFrames, lateMs, lateUnits }) => {
      const after = broadcast({ startMs: 100_000, durationMs: 5000, headers: false });
      const isLast = ({ timeline, dts }: PlacedUnit) => timeline === 0 && dts >= durationMs - 40 * lastFrames;
      const encode = (unit: PlacedUnit) => (unit.type === 'video' && isLast(unit) ? movePlaced(unit, lateMs) : unit);
      const { source, rendition } = transcode([...broadcast({ durationMs }), ...after], encode, { lateUnits });
      const partsMs = ({ segments }: SegmentStore) =>
        segments.map(({ parts }) => parts.map(({ durationSeconds }) => Math.round(durationSeconds * 1000)));
      expect(partsMs(rendition)).toEqual(partsMs(source));
      expect(frameCounts(rendition)).toEqual(
        frameCounts(source).map((frames, index) => (index === 2 ? frames - lastFrames : frames)),
      );
    },
  );

  it('that joins late with a discontinuity says so as its source does', () => {
    const tags = [...broadcast({ durationMs: 4000 }), ...broadcast({ startMs: 100_000, durationMs: 4000, headers: false })];
    const { source, rendition } = transcode(tags, (unit) => (unit.timeline === 1 || isConfig(unit) ? unit : undefined));
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([0, 1]);
    expect(places(rendition)[2]).toMatchObject({ msn: 2, discontinuity: true, discontinuitySequence: 1 });
    expect(formatMediaPlaylist(textFields(rendition)).match(/#EXT-X-DISCONTINUITY$/gm)).toHaveLength(1);
  });

  it('keeps the audio that came without video, to the last frame before its video', () => {
    const tags = broadcast({ durationMs: 9000 }).filter(({ kind, timestampMs }) => kind === 'audio' || timestampMs >= 3020);
    const announced = [...tags.filter(({ timestampMs }) => timestampMs < 3020), videoHeader('1280x720', 3020)];
    const frames = broadcast({ startMs: 3020, durationMs: 5000, audioToMs: 0, headers: false });
    const sound = tags.filter(({ kind, timestampMs }) => kind === 'audio' && timestampMs >= 3020);
    const rest = [...frames, ...sound].sort((one, other) => one.timestampMs - other.timestampMs);
    const { source, rendition } = transcode([...announced, ...rest]);
    expect(source.segments[1]?.durationSeconds).toBeLessThan(1.1);
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([]);
    expect(soundCounts(rendition)).toEqual(soundCounts(source));
  });

  it.each([0, 60])('goes from audio only to audio and video where its source does, with audio %i ms late', (lateMs) => {
    const sound = broadcast({ durationMs: 10_000, video: false });
    const pictures = broadcast({ startMs: 5000, durationMs: 5000, audioToMs: 0 });
    const { source, rendition } = transcode(sendAudioLate([...sound, ...pictures], lateMs));
    expect(source.segments.map(({ videoFrames }) => videoFrames > 0)).toEqual([false, false, false, true, true, true]);
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([]);
    expect(soundCounts(rendition)).toEqual(soundCounts(source));
    expect(frameCounts(rendition)).toEqual(frameCounts(source));
  });

  it('has the audio that continues after its last frame, as its source does', () => {
    const { source, rendition } = transcode(broadcast({ durationMs: 6000, audioToMs: 6700 }));
    expect(soundCounts(source).at(-1)).toBeGreaterThan(Math.ceil(2.6 * (48_000 / 1024)));
    expect(soundCounts(rendition)).toEqual(soundCounts(source));
    expect(seconds(rendition)).toEqual(seconds(source));
  });

  it('divides a GOP that is too long at the same frame as its source', () => {
    // 200 ms do not fit into 30 s plus 40 ms of reordering, so that parts end elsewhere.
    const tags = broadcast({ startMs: 21, durationMs: 65_000, fps: 24, gopFrames: 10_000 });
    const { source, rendition } = transcode(tags, (unit) => movePlaced(unit, unit.type === 'video' ? 1 : 0));
    expect(places(rendition)).toEqual(places(source));
    expect(frameCounts(rendition)).toEqual(frameCounts(source));
  });

  it.each<[string, number, number[]]>([
    ['in mid-segment', 5000, [2]],
    ['as a segment ends', 5999, [2]],
    ['as a segment has begun', 6000, [3]],
    ['before anything came out', -1, []],
  ])('whose encoder breaks off %s has a gap there, and continues with the next keyframe', (_name, atMs, missed) => {
    const { source, rendition, whole } = transcode(broadcast({ durationMs: 12_000 }), (tag) => tag, { breakAtMs: atMs });
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual(missed);
    expect(seconds(rendition)).toEqual(seconds(source));
    expect(whole.filter((is) => !is)).toHaveLength(missed.length);
  });

  it('whose encoder breaks off drops the rest of that segment, even if another encoder makes it', () => {
    const { rendition } = transcode(broadcast({ durationMs: 12_000 }), (tag) => tag, { breakAtMs: 4400 });
    const broken = rendition.segments[2];
    expect(broken).toMatchObject({ msn: 2, gap: true, durationSeconds: 2 });
    // A part of it was already handed out, and stays.
    expect(broken?.parts.length).toBeGreaterThan(0);
    expect(broken?.videoFrames).toBeLessThanOrEqual(12);
  });

  it('reports the segments that it missed, whole or in part', () => {
    const missed = ({ dts }: PlacedUnit) => dts > 5000 && dts < 9500;
    const { source, rendition, whole } = transcode(broadcast({ durationMs: 16_000 }), (unit) =>
      missed(unit) ? undefined : unit,
    );
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([2, 3, 4]);
    expect(seconds(rendition)).toEqual(seconds(source));
    expect(whole).toEqual([true, true, false, true, true, true]);
  });

  it('that dies misses the rest', () => {
    const { source, rendition } = transcode(broadcast({ durationMs: 12_000 }), (unit) => (unit.dts > 6500 ? undefined : unit));
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([3, 4, 5]);
  });
});
