import { useClockOffset } from './use-clock-offset.ts';
import { useNow } from './use-now.ts';

/** The service's clock in epoch milliseconds, rerendering every `intervalMs`; for the ages of what the service dates. */
export function useServiceNow(intervalMs: number, isCounting = true): number {
  return useNow(intervalMs, isCounting) + useClockOffset();
}
