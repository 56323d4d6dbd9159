import { expect } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { PackagedSegment, SegmentTracks } from '../../src/service/hls/packaged-segment.ts';
import { parseAacConfig } from '../../src/service/media/aac.ts';
import { formatSilentFrame } from '../../src/service/media/aac-silence.ts';
import type { ReadSample } from '../../src/service/media/fmp4-reader.ts';
import type { MediaFormatError } from '../../src/service/media/media-format-error.ts';
import { aacConfigs } from './flv-builder.ts';
import { readSegment } from './read-segment.ts';
import { TagPackager, type TagPackagerOptions } from './tag-packager.ts';

/** Wall clock of the first media. */
export const startedAtMs = Date.UTC(2030, 0, 1);

/** A packager's output for all these tags. */
export function pack(tags: readonly FlvTag[], options: Partial<TagPackagerOptions> = {}) {
  const segments: PackagedSegment[] = [];
  const tracks: SegmentTracks[] = [];
  const malformed: string[] = [];
  const packager = new TagPackager({
    startedAtMs,
    onSegment: (segment) => segments.push(segment),
    onTracks: (changed) => tracks.push(changed),
    onMalformed: (error: MediaFormatError) => malformed.push(error.message),
    ...options,
  });
  for (const tag of tags) packager.push(tag);
  packager.end();
  return { segments, tracks, malformed };
}

/** A segment as a player gets it. */
export const segmentBytes = ({ parts }: Pick<PackagedSegment, 'parts'>): Buffer =>
  Buffer.concat(parts.map(({ bytes }) => bytes));
/** The video samples of a segment. */
export const video = (segment: Pick<PackagedSegment, 'parts'>): ReadSample[] => readSegment(segmentBytes(segment)).get(1) ?? [];
/** The audio samples of a segment. */
export const audio = (segment: Pick<PackagedSegment, 'parts'>): ReadSample[] => readSegment(segmentBytes(segment)).get(2) ?? [];
/** In seconds. */
export const durations = (segments: readonly PackagedSegment[]) => segments.map(({ durationSeconds }) => durationSeconds);
/** The segments that begin with a discontinuity. */
export const discontinuities = (segments: readonly PackagedSegment[]) => segments.map(({ place }) => place.discontinuity);
/** The tracks of each segment: `video+audio`, `video` or `audio`. */
export const kinds = (segments: readonly Pick<PackagedSegment, 'init'>[]) =>
  segments.map((segment) =>
    [...(segment.init.tracks.video ? ['video'] : []), ...(segment.init.tracks.audio ? ['audio'] : [])].join('+'),
  );

const silence = formatSilentFrame(parseAacConfig(Buffer.from(aacConfigs['48 kHz'], 'hex')));
/** Whether an audio sample is silence that stands in for missing audio. */
export const isSilence = (data: Buffer): boolean => silence?.equals(data) === true;

/** Each sample follows the one before, 1024 samples of 48 kHz later. */
export function expectNoHole(samples: readonly ReadSample[]): void {
  const [first] = samples;
  expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => (first?.dts ?? 0) + index * 1024));
}
