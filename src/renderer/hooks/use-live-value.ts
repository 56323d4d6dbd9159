import { useSyncExternalStore } from 'react';
import type { LiveSnapshot, LiveValue } from '../store/live-value.ts';

/** The newest snapshot of a live value; it subscribes while the component is mounted. */
export function useLiveValue<T>(live: LiveValue<T>): LiveSnapshot<T> {
  return useSyncExternalStore(live.subscribe, live.get);
}
