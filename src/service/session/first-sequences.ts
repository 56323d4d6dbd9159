import type { NextSequences } from '../store/session-table.ts';

/**
 * How far numbers are put ahead when a stream first lives in this run: more segments than a crash can have left unsaved,
 * so that a player that was watching never sees a media sequence number twice.
 */
const crashSlack = 16;

/** The numbers that a stream's playlist begins with in this run of the service, from those that the last one stored. */
export function firstSequences({ nextMediaSequence, nextDiscontinuitySequence }: NextSequences) {
  const used = nextMediaSequence > 0;
  return {
    firstMediaSequence: used ? nextMediaSequence + crashSlack : 0,
    firstDiscontinuitySequence: used ? nextDiscontinuitySequence + 1 : 0,
  };
}
