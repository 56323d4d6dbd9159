import type { NextSequences } from '../store/session-table.ts';

/**
 * How far numbers jump when a stream first goes live in this run: by more segments than a crash can leave unsaved, so that a player
 * that was watching never sees a media sequence number twice.
 */
const crashSlack = 16;

/** The first numbers of a stream's playlist in this run of the service, from those that the last run stored. */
export function firstSequences({ nextMediaSequence, nextDiscontinuitySequence }: NextSequences) {
  const used = nextMediaSequence > 0;
  return {
    firstMediaSequence: used ? nextMediaSequence + crashSlack : 0,
    firstDiscontinuitySequence: used ? nextDiscontinuitySequence + 1 : 0,
  };
}
