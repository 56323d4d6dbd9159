import type { Clock } from '../ports.ts';

/** A larger difference means that the computer's clock was set; smaller ones come from reading two clocks in turn. */
const setMs = 50;

/**
 * The computer's clock. As long as the wall clock is not set, both of its times advance together, so {@link timeOfDay} gives the same
 * answer for a moment whenever it is asked.
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

/** The {@link Clock.monotonicMs} of a Unix time in milliseconds, by the current setting of the wall clock. */
export function monotonicAt(clock: Clock, epochMs: number): number {
  return clock.monotonicMs() - (clock.now() - epochMs);
}

/** The Unix time in milliseconds of a {@link Clock.monotonicMs}, by the current setting of the wall clock. */
export function timeOfDay(clock: Clock, atMs: number): number {
  return clock.now() - (clock.monotonicMs() - atMs);
}
