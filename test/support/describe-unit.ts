import { decodeMs, type MediaUnit, sizeOf, trackOf } from '../../src/service/media/media-unit.ts';

/** Bytes that Flash Video puts before the data of each track's tags. */
const headerBytes = { video: 5, audio: 2 };

/** A unit in one line: its track, when it is decoded in milliseconds, and the size of the tag that carries it. */
export function describeUnit(unit: MediaUnit): string {
  const track = trackOf(unit);
  return `${track} ${decodeMs(unit)} ${sizeOf(unit) + headerBytes[track]}`;
}
