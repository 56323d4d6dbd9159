import { useEffect, useState } from 'react';

/**
 * The page's clock in epoch milliseconds, rerendering every `intervalMs`, for ages and timers. Turn it off when nothing counts:
 * rendering a page four times a second costs 5 % of a core.
 */
export function useNow(intervalMs: number, isCounting = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isCounting) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs, isCounting]);
  return now;
}
