import { useState } from 'react';

/** Two clocks that differ by less than this, in milliseconds, are taken for one: the way of a message looks like a difference too. */
const sameClockMs = 1_500;

/**
 * How far the service's clock is ahead of the page's, in milliseconds, from the service's time in a message and when that arrived.
 *
 * It holds still until the clocks really move against each other: messages take now 2 ms and now 40, and a time of day drawn with each
 * would jump by a second now and then.
 */
export function useClockOffset(serviceNowMs: number, receivedAtMs: number): number {
  const measuredMs = serviceNowMs - receivedAtMs;
  const [offsetMs, setOffset] = useState(() => steadyOffset(0, measuredMs));
  const steadyMs = steadyOffset(offsetMs, measuredMs);
  if (steadyMs !== offsetMs) setOffset(steadyMs);
  return steadyMs;
}

/** The offset to go on with. */
export function steadyOffset(offsetMs: number, measuredMs: number): number {
  return Math.abs(measuredMs - offsetMs) < sameClockMs ? offsetMs : measuredMs;
}
