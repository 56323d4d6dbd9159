import { decodeMs, type MediaUnit, sizeOf, trackOf } from '../../src/service/media/media-unit.ts';

/** Bytes before the media data in an FLV tag's body, per track. */
const headerBytes = { video: 5, audio: 2 };

/** A unit in one line: its track, its dts in milliseconds, and the size of the tag that carries it. */
export function describeUnit(unit: MediaUnit): string {
  const track = trackOf(unit);
  return `${track} ${decodeMs(unit)} ${sizeOf(unit) + headerBytes[track]}`;
}
