import type { LiveStreamOptions } from './live-stream.ts';

/**
 * How far numbers are put ahead when a stream first lives in this run: more segments than a crash can have left unsaved,
 * so that a player that was watching never sees a media sequence number twice.
 */
const crashSlack = 16;

/** The numbers that a stream's first segment in this run goes on from. */
export function firstSequences({ ledger, streamId }: Pick<LiveStreamOptions, 'ledger' | 'streamId'>) {
  const { nextMediaSequence, nextDiscontinuitySequence } = ledger.getNextSequences(streamId);
  const used = nextMediaSequence > 0;
  return {
    firstMediaSequence: used ? nextMediaSequence + crashSlack : 0,
    firstDiscontinuitySequence: used ? nextDiscontinuitySequence + 1 : 0,
  };
}
