import { useEffect, useState } from 'react';

/** The page's clock in epoch milliseconds, drawn again every `intervalMs`, for ages and timers. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}
