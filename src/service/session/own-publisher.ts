import type { PublisherTrace } from '../ingest/publish-gate.ts';
import { isLoopback, toPlainAddress } from '../lib/address-group.ts';
import { listOwnAddresses } from '../lib/own-addresses.ts';
import { ownSoftware } from '../lib/own-software.ts';

/**
 * Whether a publisher is this computer's own one-click. Every Tallylight calls itself the same, but only ours comes from this computer: by
 * loopback, or by an address of its own if the service is bound to that one.
 */
export function isOwnPublisher({ software, remoteAddress }: PublisherTrace): boolean {
  if (software !== ownSoftware) return false;
  const plain = toPlainAddress(remoteAddress);
  return isLoopback(plain) || listOwnAddresses().some(({ address }) => address === plain);
}
