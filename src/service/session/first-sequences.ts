import type { StreamSequences } from '../streams/session-ledger.ts';

/**
 * How far numbers jump when a stream that an earlier run may have had live first goes live in this run: by more than that run can have left
 * unstored. A crash loses the last 2 s of segments; a disk that is full loses all of them, even those of the first broadcast, so this
 * leaves room for 36 hours of 2 s segments. If a number were used twice, players and caches would take old segments for new ones.
 */
const unstoredSegments = 2 ** 16;
/** The same for discontinuities. */
const unstoredDiscontinuities = 2 ** 12;

/** The first numbers of a stream's playlist in this run of the service, from those that the last run stored. */
export function firstSequences({ nextMediaSequence, nextDiscontinuitySequence, isNew }: StreamSequences) {
  return {
    firstMediaSequence: nextMediaSequence + (isNew ? 0 : unstoredSegments),
    firstDiscontinuitySequence: nextDiscontinuitySequence + (isNew ? 0 : unstoredDiscontinuities),
  };
}
