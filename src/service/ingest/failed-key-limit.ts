import { putLast } from '../../shared/put-last.ts';
import { addRecent, keepRecent } from '../../shared/recent-times.ts';
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
  const timesOf = (group: string) => failures.get(group) ?? [];
  return {
    isReached: (address) => keepRecent(timesOf(groupAddress(address)), clock.monotonicMs(), windowMs).length >= maxFailedKeys,
    recordFailure(address) {
      const group = groupAddress(address);
      const times = addRecent(timesOf(group), clock.monotonicMs(), windowMs).slice(-maxFailedKeys);
      putLast(failures, group, times, maxAddresses);
    },
  };
}
