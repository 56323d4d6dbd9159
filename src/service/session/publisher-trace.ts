import type { Publisher } from '../ingest/publish-gate.ts';

/** Who a publisher seems to be when it connects: all programs on one computer have the same address. */
export type PublisherTrace = Pick<Publisher, 'software' | 'remoteAddress'>;

/** Whether both are the same publisher, as far as their connections tell. */
export function isSamePublisher(one: PublisherTrace, other: PublisherTrace): boolean {
  return one.software === other.software && one.remoteAddress === other.remoteAddress;
}
