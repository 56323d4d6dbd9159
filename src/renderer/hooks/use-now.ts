import { useEffect, useState } from 'react';
import { onTick, readTick } from './shared-tick.ts';

/**
 * The page's clock in epoch milliseconds, rerendering every `intervalMs`, for ages and timers; equal for all users of an interval. Turn it
 * off when nothing counts: rendering a page four times a second costs 5 % of a core.
 */
export function useNow(intervalMs: number, isCounting = true): number {
  const [now, setNow] = useState(() => readTick(intervalMs));
  useEffect(() => (isCounting ? onTick(intervalMs, setNow) : undefined), [intervalMs, isCounting]);
  return now;
}
