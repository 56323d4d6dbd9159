import type { StreamSequences } from '../streams/session-ledger.ts';

/**
 * A stream's numbers follow the clock: a run begins with how many quarters of a second have passed since 2026. Hardly any
 * publisher makes four segments a second, so that is more than any number used before, even if the store has lost some of them:
 * it may be a restored backup, or salvaged. They stay below 2³¹ until 2043. See decision 0002.
 */
const stepMs = 250;
const firstStepAtMs = Date.UTC(2026, 0);

/**
 * How far numbers jump instead if the stored ones are ahead of the clock, which was set back or was slower than the publisher: by more
 * than a run can have left unstored. A crash loses the last 2 s of segments; a disk that is full loses all of them, so this leaves room
 * for 36 hours of 2 s segments. If a number were used twice, players and caches would take old segments for new ones.
 */
const unstoredSegments = 2 ** 16;
/** The same for discontinuities. No URL has their numbers, so the clock isn't needed. */
const unstoredDiscontinuities = 2 ** 12;

/** The first numbers of a stream's playlist in this run of the service, from those that the last run stored and the Unix time in ms. */
export function firstSequences({ nextMediaSequence, nextDiscontinuitySequence, isNew }: StreamSequences, now: number) {
  // No player has seen any of its numbers yet.
  if (isNew) return { firstMediaSequence: nextMediaSequence, firstDiscontinuitySequence: nextDiscontinuitySequence };
  const steps = Math.floor((now - firstStepAtMs) / stepMs);
  return {
    firstMediaSequence: steps > nextMediaSequence ? steps : nextMediaSequence + unstoredSegments,
    firstDiscontinuitySequence: nextDiscontinuitySequence + unstoredDiscontinuities,
  };
}
