import { useSyncExternalStore } from 'react';
import type { LiveSnapshot, LiveValue } from '../store/live-value.ts';

/** The newest snapshot of a live value; it subscribes while the component is mounted. */
export function useLiveValue<T>(live: LiveValue<T>): LiveSnapshot<T>;
export function useLiveValue<T>(live: LiveValue<T> | undefined): LiveSnapshot<T> | undefined;
export function useLiveValue<T>(live: LiveValue<T> | undefined): LiveSnapshot<T> | undefined {
  return useSyncExternalStore(live?.subscribe ?? listenToNothing, () => live?.get());
}

/** The subscription where there is no live value. */
export function listenToNothing(): () => void {
  return () => {};
}
