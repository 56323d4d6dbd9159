import { groupAddress } from '../lib/address-group.ts';
import type { Clock } from '../ports.ts';

/** Most addresses to remember; beyond it, the one that failed longest ago is forgotten. */
const maxAddresses = 4096;

export interface FailedKeyLimitOptions {
  maxFailedKeys: number;
  windowMs: number;
  clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * Counts wrong stream keys per address, to slow down guessing. Valid keys are never delayed: several encoders may share an
 * address, one click among them, and guessing one key in 36^16 is hopeless anyway.
 */
export interface FailedKeyLimit {
  /** Whether this address has failed so often within the window that replies to its wrong keys are delayed. */
  isReached(address: string): boolean;
  recordFailure(address: string): void;
}

/** Creates a limit that counts by {@link groupAddress}. */
export function createFailedKeyLimit({ maxFailedKeys, windowMs, clock }: FailedKeyLimitOptions): FailedKeyLimit {
  const failures = new Map<string, number[]>();
  const recent = (group: string) => (failures.get(group) ?? []).filter((at) => at > clock.monotonicMs() - windowMs);
  return {
    isReached: (address) => recent(groupAddress(address)).length >= maxFailedKeys,
    recordFailure(address) {
      const group = groupAddress(address);
      const times = [...recent(group), clock.monotonicMs()].slice(-maxFailedKeys);
      failures.delete(group);
      failures.set(group, times);
      const oldest = failures.keys().next();
      if (failures.size > maxAddresses && !oldest.done) failures.delete(oldest.value);
    },
  };
}
