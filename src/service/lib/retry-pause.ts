/**
 * How long to wait before attempt `attempt` (1 is the first retry): at once, then 1 s growing by half up to 15 s.
 *
 * Short enough that a blink of the network is not felt, long enough not to hammer a server that is down.
 */
export function retryPauseMs(attempt: number): number {
  return attempt <= 1 ? 0 : Math.min(15_000, 1_000 * 1.5 ** (attempt - 2));
}
