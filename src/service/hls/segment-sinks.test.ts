import { expect, test } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { broadcast, videoHeader } from '../../../test/support/flv-builder.ts';
import { startedAtMs } from '../../../test/support/pack.ts';
import { packagerOptions, renditionOptions } from '../../../test/support/packager-options.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { PackagedPart, PackagedSegment, SegmentGap, SegmentSink, SegmentStart } from './packaged-segment.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';
import type { SegmentStore } from './segment-store.ts';
import { SourcePackager } from './source-packager.ts';

/** A second sink, such as a recorder's: it keeps the segments that it was handed, and reads nothing back. */
class RecordingSink implements SegmentSink {
  readonly starts: SegmentStart[] = [];
  readonly parts: PackagedPart[][] = [];
  readonly segments: (PackagedSegment | SegmentGap)[] = [];

  begin(start: SegmentStart): void {
    this.starts.push(start);
    this.parts.push([]);
  }
  addPart(part: PackagedPart): void {
    this.parts.at(-1)?.push(part);
  }
  breakOff(): void {}
  complete(segment: PackagedSegment): void {
    this.segments.push(segment);
  }
  beginGap(): void {
    this.parts.push([]);
  }
  appendGap(gap: SegmentGap): void {
    this.segments.push(gap);
  }
}

/** Passes on everything to a playlist's store and to another sink. */
function teeSinks(store: SegmentStore, other: SegmentSink): SegmentSink {
  const both = [store, other];
  return {
    begin: (start) => both.forEach((sink) => void sink.begin(start)),
    addPart: (part) => both.forEach((sink) => void sink.addPart(part)),
    breakOff: (expectsPart) => both.forEach((sink) => void sink.breakOff(expectsPart)),
    complete: (segment) => both.forEach((sink) => void sink.complete(segment)),
    beginGap: (gap) => both.forEach((sink) => void sink.beginGap(gap)),
    appendGap: (gap) => both.forEach((sink) => void sink.appendGap(gap)),
  };
}

const readUnits = (tags: Parameters<UnitReader['readUnit']>[0][]): MediaUnit[] => {
  const reader = new UnitReader();
  return tags.flatMap((tag) => reader.readUnit(tag) ?? []);
};
const noParts: readonly PackagedPart[] = [];
/** A segment as the playlist has it, and as a sink got it. */
const fromStore = ({ segments }: SegmentStore) =>
  segments.map(({ msn, discontinuity, discontinuitySequence, shiftMs, ...segment }) => ({
    place: { msn, discontinuity, discontinuitySequence, shiftMs },
    ...pick(segment),
  }));
const fromRecord = ({ segments }: RecordingSink) => segments.map((segment) => ({ place: segment.place, ...pick(segment) }));
const pick = ({
  startMs,
  durationSeconds,
  programDateTimeMs,
  ...rest
}: Omit<SegmentGap, 'place'> & { parts?: readonly PackagedPart[] }) => ({
  startMs,
  durationSeconds,
  programDateTimeMs,
  parts: rest.parts ?? noParts,
});

test('a second sink of a source and of its rendition gets each segment in the place it has in the playlist, over two publishers', () => {
  const numbers = { firstMediaSequence: 7, firstDiscontinuitySequence: 2 };
  const [store, renditionStore] = [createSegmentStore(numbers), createSegmentStore(numbers)];
  const [record, renditionRecord] = [new RecordingSink(), new RecordingSink()];
  // A change of resolution, then a publisher that counts its timestamps from elsewhere.
  const changed = [videoHeader('1920x1080 at 30', 4_000), ...broadcast({ durationMs: 4_000, startMs: 4_000, headers: false })];
  const shows = [[...broadcast({ durationMs: 4_000 }), ...changed], broadcast({ durationMs: 4_000, startMs: 900_000 })];
  for (const tags of shows) {
    const plan = new SegmentPlan();
    const rendition = new RenditionPackager(renditionOptions({ sink: teeSinks(renditionStore, renditionRecord), plan }));
    const source = new SourcePackager(
      packagerOptions({
        startedAtMs,
        sink: teeSinks(store, record),
        places: store.places,
        promised: store.targets,
        plan,
        // The rendition lacks the media from before its ffmpeg is ready.
        onPlaced: (unit) => {
          if (unit.type === 'config' || unit.dts >= 2_000) rendition.push(unit);
        },
      }),
    );
    for (const unit of readUnits(tags)) source.push(unit, 0);
    source.end();
    rendition.end();
  }
  expect(fromRecord(record)).toEqual(fromStore(store));
  expect(record.segments.map(({ place }) => [place.msn, place.discontinuity])).toEqual([
    ...[7, 8, 9, 10, 11, 12].map((msn) => [msn, [7, 9, 11].includes(msn)]),
  ]);
  expect(record.starts.map(({ place }) => place)).toEqual(record.segments.map(({ place }) => place));
  expect(fromRecord(renditionRecord)).toEqual(fromStore(renditionStore));
  expect(renditionRecord.segments.map(({ place }) => place)).toEqual(record.segments.map(({ place }) => place));
  expect(renditionStore.segments.map(({ gap }) => gap === true)).toEqual([true, false, false, false, false, false]);
});
