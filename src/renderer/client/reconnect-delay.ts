/** Pause before the next attempt after `failures` earlier ones, in milliseconds: 250 at first, half as long again each time, 5000 at most. */
export function reconnectDelayMs(failures: number): number {
  return Math.min(5_000, Math.round(250 * 1.5 ** failures));
}
