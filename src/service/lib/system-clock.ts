import type { Clock } from '../ports.ts';

/** Further apart than this, the computer's clock was set: less is the time between reading one clock and the other. */
const setMs = 50;

/**
 * The clock of this computer. Between two settings of the wall clock both of its times run as one, so that a moment told by
 * {@link timeOfDay} is the same whenever it is told.
 */
export function createSystemClock(
  readWallMs: () => number = Date.now,
  readMonotonicMs: () => number = () => performance.now(),
): Clock {
  const monotonicMs = () => Math.floor(readMonotonicMs());
  let offsetMs = readWallMs() - monotonicMs();
  return {
    monotonicMs,
    now() {
      const atMs = monotonicMs();
      const wallMs = Math.floor(readWallMs());
      if (Math.abs(wallMs - atMs - offsetMs) > setMs) offsetMs = wallMs - atMs;
      return atMs + offsetMs;
    },
  };
}

/** The moment of {@link Clock.monotonicMs} that the wall clock, as it is set now, calls `epochMs`. */
export function monotonicAt(clock: Clock, epochMs: number): number {
  return clock.monotonicMs() - (clock.now() - epochMs);
}

/** The time of day, epoch milliseconds, of a moment of {@link Clock.monotonicMs}, by what the wall clock says now. */
export function timeOfDay(clock: Clock, atMs: number): number {
  return clock.now() - (clock.monotonicMs() - atMs);
}
