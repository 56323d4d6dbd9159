import { useSyncExternalStore } from 'react';
import { useStore } from '../store/store-context.tsx';

/** How far the service's clock is ahead of the page's, in milliseconds. Changes only when the clocks really drift apart. */
export function useClockOffset(): number {
  const { clock } = useStore().connection;
  return useSyncExternalStore(clock.onChange, clock.steadyOffsetMs);
}
