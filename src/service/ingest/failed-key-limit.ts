import { isIPv6 } from 'node:net';
import type { Clock } from '../ports.ts';

/** Addresses remembered at most; beyond, the one that failed longest ago is forgotten. */
const maxAddresses = 4096;

export interface FailedKeyLimitOptions {
  maxFailedKeys: number;
  windowMs: number;
  clock: Clock;
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

/** An IPv6 host owns a whole /64, so all of that counts as one address. */
export function createFailedKeyLimit({ maxFailedKeys, windowMs, clock }: FailedKeyLimitOptions): FailedKeyLimit {
  const failures = new Map<string, number[]>();
  const recent = (group: string) => (failures.get(group) ?? []).filter((at) => at > clock.now() - windowMs);
  return {
    isReached: (address) => recent(groupOf(address)).length >= maxFailedKeys,
    recordFailure(address) {
      const group = groupOf(address);
      const times = [...recent(group), clock.now()].slice(-maxFailedKeys);
      failures.delete(group);
      failures.set(group, times);
      const oldest = failures.keys().next();
      if (failures.size > maxAddresses && !oldest.done) failures.delete(oldest.value);
    },
  };
}

/** The address itself, or the first four groups of an IPv6 address; an IPv4 address in IPv6 clothing is one of IPv4. */
function groupOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const headGroups = head === '' ? [] : head.split(':');
  if (tail === undefined) return headGroups.slice(0, 4).join(':');
  const tailGroups = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - headGroups.length - tailGroups.length)).fill('0');
  return [...headGroups, ...zeros, ...tailGroups].slice(0, 4).join(':');
}
