import { describe, expect, it } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { audio, startedAtMs, video } from '../../../test/support/pack.ts';
import { renditionOptions } from '../../../test/support/packager-options.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';
import type { SegmentStore } from './segment-store.ts';
import type { StoredSegment } from './stored-segment.ts';

/** One publisher of a source, with a rendition that passes on the units that `keep` accepts. */
function publish(
  tags: readonly FlvTag[],
  source: SegmentStore,
  rendition = createSegmentStore(),
  keep = (_timeMs: number) => true,
) {
  const plan = new SegmentPlan();
  const follower = new RenditionPackager(renditionOptions({ sink: rendition, plan }));
  const packager = new TagPackager({
    startedAtMs,
    sink: source,
    plan,
    onPlaced: (unit) => {
      if (keep(unit.dts)) follower.push(unit);
    },
  });
  for (const tag of tags) packager.push(tag);
  packager.end();
  follower.end();
}

const startsMs = (segments: readonly StoredSegment[]) => segments.map((segment) => (video(segment)[0]?.dts ?? Number.NaN) / 90);
const soundStartMs = (segment: StoredSegment | undefined) => ((segment && audio(segment)[0]?.dts) ?? Number.NaN) / 48;

describe('media times', () => {
  it.each([
    ['from 0', 0],
    ['from later', 50_000],
    ['from an hour', 3_600_000],
    ['from just before they wrap', 2 ** 32 - 2_000],
  ])('continue where they were when a publisher returns that counts %s', (_name, startMs) => {
    const store = createSegmentStore();
    publish(broadcast({ startMs: 10_000, durationMs: 4000 }), store);
    publish(broadcast({ startMs, durationMs: 4000 }), store);
    expect(startsMs(store.segments)).toEqual([10_000, 12_000, 14_000, 16_000]);
    expect(store.segments.map(({ discontinuity }) => discontinuity)).toEqual([false, false, true, false]);
    const apartMs = soundStartMs(store.segments[2]) - 14_000;
    expect(apartMs).toBeGreaterThanOrEqual(0);
    expect(apartMs).toBeLessThan(1024 / 48);
  });

  it('continue however often a publisher returns, until a new playlist begins', () => {
    const store = createSegmentStore();
    for (const startMs of [10_000, 500, 70_000]) publish(broadcast({ startMs, durationMs: 4000 }), store);
    expect(startsMs(store.segments)).toEqual([10_000, 12_000, 14_000, 16_000, 18_000, 20_000]);
    store.end();
    publish(broadcast({ startMs: 500, durationMs: 4000 }), store);
    expect(startsMs(store.segments)).toEqual([500, 2500]);
  });

  it('never overlap, where a publisher ended in the middle of a millisecond', () => {
    const store = createSegmentStore();
    const options = { durationMs: 3003, fps: 30_000 / 1001, gopFrames: 30 };
    publish(broadcast(options), store);
    publish(broadcast(options), store);
    const [before, after] = [store.segments[1], store.segments[2]] as [StoredSegment, StoredSegment];
    const endMs = startsMs([before])[0]! + before.durationSeconds * 1000;
    expect(startsMs([after])[0]! - endMs).toBeGreaterThanOrEqual(0);
    expect(startsMs([after])[0]! - endMs).toBeLessThan(1);
  });

  it('continue across timestamps that jump', () => {
    const store = createSegmentStore();
    const after = broadcast({ startMs: 3_600_000, durationMs: 4000, headers: false });
    publish([...broadcast({ durationMs: 4000 }), ...after], store);
    expect(startsMs(store.segments)).toEqual([0, 2000, 4000, 6000]);
  });

  it("of a rendition are those of its source, though it misses the start of a publisher's media", () => {
    const source = createSegmentStore();
    const rendition = createSegmentStore();
    publish(broadcast({ durationMs: 4000 }), source, rendition);
    publish(broadcast({ startMs: 70_000, durationMs: 8000 }), source, rendition, (timeMs) => timeMs === 0 || timeMs > 71_500);
    expect(startsMs(source.segments)).toEqual([0, 2000, 4000, 6000, 8000, 10_000]);
    const there = rendition.segments.filter(({ gap }) => !gap);
    expect(there.map(({ msn }) => msn)).toEqual([0, 1, 3, 4, 5]);
    expect(startsMs(there)).toEqual([0, 2000, 6000, 8000, 10_000]);
  });

  it('are those of the publisher again when a new playlist begins', () => {
    const store = createSegmentStore();
    publish(broadcast({ durationMs: 4000 }), store);
    store.end();
    publish(broadcast({ startMs: 500, durationMs: 4000 }), store);
    expect(startsMs(store.segments)).toEqual([500, 2500]);
  });
});
