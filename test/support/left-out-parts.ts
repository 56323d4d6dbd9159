import { expect } from 'vitest';
import type { PlaybackStand } from './playback-stand.ts';

/** More than a part of 0.2 s. */
const mostSeconds = 0.25;

/**
 * Expects that the stand has so many segments of a second, and that a player has all media between the first and the last range of its
 * buffer, but for at most so many holes: a busy hls.js may leave out a short last part of a segment, for example where a publisher ends
 * ("Known wrinkles" in docs/architecture.md).
 *
 * @param ranges start and end of each range, in seconds
 */
export function expectAllButLeftOut(
  { store }: Pick<PlaybackStand, 'store'>,
  ranges: readonly (readonly [start: number, end: number])[],
  { segments, holes }: { segments: number; holes: number },
): void {
  expect(store.segments.map(({ durationSeconds }) => durationSeconds)).toEqual(Array(segments).fill(expect.closeTo(1, 5)));
  expect(ranges.length).toBeLessThanOrEqual(holes + 1);
  for (const [index, [start]] of ranges.slice(1).entries()) {
    expect(start).toBeCloseTo(Math.round(start), 2);
    expect(start - (ranges[index]?.[1] ?? 0)).toBeLessThan(mostSeconds);
  }
}

/**
 * How much a player may leave out at the end of a broadcast with segments of this length, in seconds: hls.js with low latency takes the last
 * segment for loaded if the end comes while it loads one of its parts ("Known wrinkles" in docs/architecture.md).
 */
export const mostLeftOutAtEnd = (
  { script, lowLatencyMode }: { script: string; lowLatencyMode: boolean },
  segmentSeconds: number,
): number => (lowLatencyMode && script !== 'shaka-player' ? segmentSeconds : 0.25);
