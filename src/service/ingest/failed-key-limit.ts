import { groupAddress } from '../lib/address-group.ts';
import type { Clock } from '../ports.ts';

/** Addresses remembered at most; beyond, the one that failed longest ago is forgotten. */
const maxAddresses = 4096;

export interface FailedKeyLimitOptions {
  maxFailedKeys: number;
  windowMs: number;
  clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * Counts wrong stream keys per address, so that trying keys is slow. A right key is never held up: behind one address there may
 * be several encoders, one-click among them, and one key in 36^16 is not found by trying.
 */
export interface FailedKeyLimit {
  /** Has this address failed so often within the window that the answers to its wrong keys are held back? */
  isReached(address: string): boolean;
  recordFailure(address: string): void;
}

/** Counts by {@link groupAddress}. */
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
