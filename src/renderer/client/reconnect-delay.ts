/**
 * Pause before the next attempt after `failures` earlier ones, in milliseconds: 250 at first, 1.5 times longer each time, at
 * most 5000.
 */
export function reconnectDelayMs(failures: number): number {
  return Math.min(5_000, Math.round(250 * 1.5 ** failures));
}
