import { useEffect, useState } from 'react';
import { useConnectionState } from './use-connection-state.ts';

/** Shorter interruptions go unmentioned, in milliseconds. */
const patienceMs = 600;

/** When the page last heard the service, by its own clock in epoch milliseconds; undefined while it hears it. */
export function useLostContact(): number | undefined {
  const state = useConnectionState();
  const sinceMs = state.kind === 'lost' || state.kind === 'refused' ? state.sinceMs : undefined;
  // A screen that opens later doesn't wait again.
  const [lostSinceMs, setLost] = useState(() =>
    sinceMs !== undefined && patienceLeftMs(sinceMs, Date.now()) === 0 ? sinceMs : undefined,
  );
  useEffect(() => {
    if (sinceMs === undefined) {
      setLost(undefined);
      return;
    }
    const timer = setTimeout(() => setLost(sinceMs), patienceLeftMs(sinceMs, Date.now()));
    return () => clearTimeout(timer);
  }, [sinceMs]);
  return lostSinceMs;
}

/** How long to keep waiting for a service lost at `sinceMs`, in milliseconds; never more than the full patience. */
export function patienceLeftMs(sinceMs: number, nowMs: number): number {
  return Math.min(Math.max(sinceMs + patienceMs - nowMs, 0), patienceMs);
}
