import { expect, test } from 'vitest';
import { audioFrame, audioHeader, av1Frame, av1Header, broadcast, videoHeader } from '../../../test/support/flv-builder.ts';
import { kinds, startedAtMs, video } from '../../../test/support/pack.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { TrackMemory } from './kept-tracks.ts';
import type { PackagedSegment } from './packaged-segment.ts';

/** The segments of these successive publishers of one broadcast. */
function packAll(...publishers: readonly (readonly FlvTag[])[]): PackagedSegment[][] {
  const tracks: TrackMemory = {};
  return publishers.map((tags) => {
    const segments: PackagedSegment[] = [];
    const packager = new TagPackager({ startedAtMs, tracks, onSegment: (segment) => segments.push(segment) });
    for (const tag of tags) packager.push(tag);
    packager.end();
    return segments;
  });
}

const sound = (durationMs: number) => broadcast({ durationMs, video: false, headers: false });
const byTime = (tags: readonly FlvTag[]) => [...tags].sort((one, other) => one.timestampMs - other.timestampMs);
const h264 = broadcast({ durationMs: 4_000 });
/** 25 frames a second for two seconds, and audio for this long. */
const av1 = (durationMs: number, shown = true) => [
  ...[av1Header(), audioHeader()],
  ...byTime([
    ...Array.from({ length: 50 }, (_, index) => av1Frame(index * 40, { keyframe: index % 25 === 0, shown })),
    ...sound(durationMs),
  ]),
];
const codecsOf = (segments: readonly PackagedSegment[]) => segments.map(({ init }) => init.tracks.video?.codec);

test.each([
  ['with', true],
  ['without', false],
])('video that cannot be held just ends, %s independent keyframes, and no earlier picture replaces it', (_name, shown) => {
  const [, segments = []] = packAll(h264, av1(12_000, shown));
  expect(codecsOf(segments).filter((codec) => codec !== undefined)).toEqual(['av01.0.00M.08', 'av01.0.00M.08']);
  expect(segments.flatMap((segment) => video(segment))).toHaveLength(50);
  expect(new Set(kinds(segments).slice(2))).toEqual(new Set(['audio']));
});

test('a picture that cannot be held is not missed by a publisher whose picture can: it is black until it comes', () => {
  const announced = [videoHeader(), audioHeader(), audioFrame(0), ...sound(8_000).slice(1)];
  const [, segments = []] = packAll(av1(2_000), announced);
  expect(new Set(codecsOf(segments))).toEqual(new Set(['avc1.4d401f']));
});
