import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LiveValue } from '../store/live-value.ts';
import { useConnectionState } from './use-connection-state.ts';
import { listenToNothing } from './use-live-value.ts';

/** Shorter interruptions go unmentioned, in milliseconds. */
const patienceMs = 600;

/**
 * When the page last heard the service, by the page's clock in epoch milliseconds; undefined while it hears it. After contact is back, the
 * value `shown` still counts as old until it has been read again.
 */
export function useLostContact(shown?: LiveValue<unknown>): number | undefined {
  const state = useConnectionState();
  const unreadSinceMs = useSyncExternalStore(shown?.subscribe ?? listenToNothing, () => findUnread(shown));
  const sinceMs = unreadSinceMs ?? (state.kind === 'lost' || state.kind === 'refused' ? state.sinceMs : undefined);
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

/** Whether the page has lost contact with the service, or hasn't read the value `shown` since. */
export function useIsContactLost(shown?: LiveValue<unknown>): boolean {
  return useLostContact(shown) !== undefined;
}

function findUnread(shown: LiveValue<unknown> | undefined): number | undefined {
  const snapshot = shown?.get();
  return snapshot?.kind === 'known' ? snapshot.unreadSinceMs : undefined;
}

/** How long to keep waiting for a service lost at `sinceMs`, in milliseconds; never more than the full patience. */
export function patienceLeftMs(sinceMs: number, nowMs: number): number {
  return Math.min(Math.max(sinceMs + patienceMs - nowMs, 0), patienceMs);
}
