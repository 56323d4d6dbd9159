import { type ReadSample, readBoxes, readFragment } from '../../src/service/media/fmp4-reader.ts';
import { MediaFormatError } from '../../src/service/media/media-format-error.ts';

/** The samples of each track of a media segment, by track id. @throws {MediaFormatError} when there is no fragment */
export function readSegment(segment: Buffer): Map<number, ReadSample[]> {
  const tracks = new Map<number, ReadSample[]>();
  const fragments = readBoxes(segment).filter(({ type }) => type === 'moof');
  if (fragments.length === 0) throw new MediaFormatError('A segment has no moof.');
  for (const moof of fragments) {
    for (const { trackId, samples } of readFragment(segment, moof).tracks) {
      tracks.set(trackId, [...(tracks.get(trackId) ?? []), ...samples]);
    }
  }
  return tracks;
}
