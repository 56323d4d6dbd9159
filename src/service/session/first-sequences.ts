import type { NextSequences } from '../store/session-table.ts';

/**
 * How far numbers jump when a stream first goes live in this run: by more than the last run can have left unstored. A crash loses
 * the last 2 s of segments; a disk that is full loses all of them, so this leaves room for 36 hours of 2 s segments. If a number were used
 * twice, players and caches would take old segments for new ones.
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
