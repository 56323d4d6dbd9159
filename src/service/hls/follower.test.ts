import { describe, expect, it } from 'vitest';
import { type BroadcastOptions, broadcast } from '../../../test/support/flv-builder.ts';
import { startedAtMs } from '../../../test/support/pack.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import type { TimedTag } from '../media/timed-tag.ts';
import { Packager } from './packager.ts';
import { SegmentPlan } from './segment-plan.ts';
import { SegmentStore } from './segment-store.ts';

/** Feeds a source, and a rendition with what `encode` makes of each tag, `lateTags` tags later. */
function transcode(tags: readonly FlvTag[], encode: (tag: TimedTag) => TimedTag | undefined = (tag) => tag, lateTags = 40) {
  const plan = new SegmentPlan();
  const source = new SegmentStore();
  const rendition = new SegmentStore();
  const encoded: TimedTag[] = [];
  const packager = new Packager({
    startedAtMs,
    sink: source,
    plan,
    onTimed: (tag) => {
      const result = encode(tag);
      if (result) encoded.push(result);
    },
  });
  const whole: (boolean | undefined)[] = [];
  const follower = new Packager({
    ...{ startedAtMs, sink: rendition, plan, follow: true },
    onSegment: ({ gap }) => whole.push(!gap),
  });
  for (const tag of tags) {
    packager.push(tag);
    while (encoded.length > lateTags) follower.pushTimed(encoded.shift() as TimedTag);
  }
  packager.end();
  for (const tag of encoded) follower.pushTimed(tag);
  follower.end();
  return { source, rendition, whole };
}

const places = ({ segments }: SegmentStore) =>
  segments.map(({ msn, discontinuity, discontinuitySequence, programDateTimeMs }) => ({
    ...{ msn, discontinuity, discontinuitySequence, programDateTimeMs },
  }));
const gaps = ({ segments }: SegmentStore) => segments.filter(({ gap }) => gap).map(({ msn }) => msn);
const seconds = ({ segments }: SegmentStore) => segments.map(({ durationSeconds }) => durationSeconds);

const broadcasts: [name: string, options: BroadcastOptions][] = [
  ['25 fps', { durationMs: 9000 }],
  ['23.976 fps', { durationMs: 9000, fps: 24_000 / 1001, gopFrames: 24 }],
  ['29.97 fps', { durationMs: 9000, fps: 30_000 / 1001, gopFrames: 60 }],
  ['60 fps, a GOP of half a second', { durationMs: 9000, fps: 60, gopFrames: 30 }],
  ['a GOP of 10 s', { durationMs: 31_000, gopFrames: 250 }],
  ['B-frames', { durationMs: 9000, reorderMs: 80 }],
  ['no sound', { durationMs: 9000, audioToMs: 0 }],
  ['sound only at first', { durationMs: 20_000, audioToMs: 5000 }],
  ['sound alone', { durationMs: 9000, video: false }],
  ['a key frame only at the start', { durationMs: 65_000, gopFrames: 10_000 }],
];

describe('a rendition', () => {
  it.each(broadcasts)('has the segments of its source: %s', (_name, options) => {
    const { source, rendition, whole } = transcode(broadcast(options));
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([]);
    expect(whole).toHaveLength(source.segments.length);
    for (const [index, duration] of seconds(rendition).entries()) expect(duration).toBeCloseTo(seconds(source)[index] ?? 0, 9);
  });

  it('whose keyframes are 2 ms beside those of the source has its segments all the same', () => {
    const { source, rendition } = transcode(broadcast({ durationMs: 9000, reorderMs: 80 }), (tag) => ({
      ...tag,
      timeMs: tag.timeMs + (Math.floor(tag.timeMs / 1000) % 2 === 0 ? 2 : -2),
    }));
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

  it('that joins late starts at the number the source has then', () => {
    const { source, rendition } = transcode(broadcast({ durationMs: 9000 }), (tag) =>
      tag.timeMs > 3000 || tag.timeMs === 0 ? tag : undefined,
    );
    expect(places(rendition).slice(0)).toEqual(places(source).slice(-places(rendition).length));
    expect(rendition.segments[0]?.msn).toBe(0);
  });

  it('says which segments it has missed, whole or in part', () => {
    const missed = ({ timeMs }: TimedTag) => timeMs > 5000 && timeMs < 9500;
    const { source, rendition, whole } = transcode(broadcast({ durationMs: 16_000 }), (tag) => (missed(tag) ? undefined : tag));
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([2, 3, 4]);
    expect(seconds(rendition)).toEqual(seconds(source));
    expect(whole).toEqual([true, true, false, true, true, true]);
  });

  it('that dies misses the rest', () => {
    const { source, rendition } = transcode(broadcast({ durationMs: 12_000 }), (tag) => (tag.timeMs > 6500 ? undefined : tag));
    expect(places(rendition)).toEqual(places(source));
    expect(gaps(rendition)).toEqual([3, 4, 5]);
  });
});
