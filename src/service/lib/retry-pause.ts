/**
 * The pause before a retry (attempt 1 is the first): none at first, then 1 s, growing by half each time up to 15 s.
 *
 * Short enough to hide a brief network outage, long enough not to hammer a server that is down.
 */
export function retryPauseMs(attempt: number): number {
  return attempt <= 1 ? 0 : Math.min(15_000, 1_000 * 1.5 ** (attempt - 2));
}
