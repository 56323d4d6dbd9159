import type { Clock } from '../ports.ts';

/** A larger jump means that the computer's clock was set; smaller ones come from the different rates of the two clocks. */
const setMs = 50;
/** Between two readings that count as one. */
const togetherMs = 1;

/**
 * The computer's clock. As long as the wall clock is not set, both of its times advance together, so {@link timeOfDay} gives the same
 * answer for a moment whenever it is asked.
 */
export function createSystemClock(
  readWallMs: () => number = Date.now,
  readMonotonicMs: () => number = () => performance.now(),
): Clock {
  const monotonicMs = () => Math.floor(readMonotonicMs());
  const read = () => readTogether(monotonicMs, () => Math.floor(readWallMs()));
  const first = read();
  let offsetMs = first.wallMs - first.atMs;
  return {
    monotonicMs,
    now() {
      const { atMs, wallMs } = read();
      if (Math.abs(wallMs - atMs - offsetMs) > setMs) offsetMs = wallMs - atMs;
      return atMs + offsetMs;
    },
  };
}

/** Reads both clocks at one moment. Reads again if time passed in between, as when a busy computer suspends the process there. */
function readTogether(monotonicMs: () => number, wallMs: () => number): { atMs: number; wallMs: number } {
  for (;;) {
    const atMs = monotonicMs();
    const read = wallMs();
    if (monotonicMs() - atMs < togetherMs) return { atMs, wallMs: read };
  }
}

/** How far the wall clock is ahead of {@link Clock.monotonicMs}, by its current setting. */
export function wallOffsetMs(clock: Clock): number {
  const { atMs, wallMs } = readTogether(
    () => clock.monotonicMs(),
    () => clock.now(),
  );
  return wallMs - atMs;
}

/** The {@link Clock.monotonicMs} of a Unix time in milliseconds, by the current setting of the wall clock. */
export function monotonicAt(clock: Clock, epochMs: number): number {
  return epochMs - wallOffsetMs(clock);
}

/** The Unix time in milliseconds of a {@link Clock.monotonicMs}, by the current setting of the wall clock. */
export function timeOfDay(clock: Clock, atMs: number): number {
  return atMs + wallOffsetMs(clock);
}
