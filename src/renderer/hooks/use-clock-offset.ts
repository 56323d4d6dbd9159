import { useSyncExternalStore } from 'react';
import { useStore } from '../store/store-context.tsx';

/** How far the service's clock is ahead of the page's, in milliseconds; it holds still until the clocks really move against each other. */
export function useClockOffset(): number {
  const { clock } = useStore().connection;
  return useSyncExternalStore(clock.onChange, clock.steadyOffsetMs);
}
