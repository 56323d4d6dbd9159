import { useEffect, useState } from 'react';
import { useConnectionState } from './use-connection-state.ts';

/** A blink of the socket shorter than this is not worth a word, in milliseconds. */
const patienceMs = 600;

/** Since when the page has not heard the service, by its own clock in epoch milliseconds; undefined while it does. */
export function useLostContact(): number | undefined {
  const state = useConnectionState();
  const sinceMs = state.kind === 'lost' || state.kind === 'refused' ? state.sinceMs : undefined;
  // A screen that opens later does not wait anew.
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

/** How long a service that is lost since then is still waited for, in milliseconds: never longer than the whole patience. */
export function patienceLeftMs(sinceMs: number, nowMs: number): number {
  return Math.min(Math.max(sinceMs + patienceMs - nowMs, 0), patienceMs);
}
