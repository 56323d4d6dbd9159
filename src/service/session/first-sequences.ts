import type { NextSequences } from '../store/session-table.ts';

/**
 * How far numbers jump when a stream first goes live in this run: by more than the last run can have left unstored. A crash costs 2 s of
 * segments, but a full disk all that were made since, here up to 36 hours of segments of 2 s. A number used twice would have players and
 * caches take old segments for new ones.
 */
const unstoredSegments = 2 ** 16;
/** The same for discontinuities. */
const unstoredDiscontinuities = 2 ** 12;

/** The first numbers of a stream's playlist in this run of the service, from those that the last run stored. */
export function firstSequences({ nextMediaSequence, nextDiscontinuitySequence }: NextSequences) {
  const used = nextMediaSequence > 0;
  return {
    firstMediaSequence: used ? nextMediaSequence + unstoredSegments : 0,
    firstDiscontinuitySequence: used ? nextDiscontinuitySequence + unstoredDiscontinuities : 0,
  };
}
