import { useClockOffset } from './use-clock-offset.ts';
import { useNow } from './use-now.ts';

/** The service's clock in epoch milliseconds, drawn again every `intervalMs`: what the service dates is as old as that says. */
export function useServiceNow(intervalMs: number, isCounting = true): number {
  return useNow(intervalMs, isCounting) + useClockOffset();
}
