import type { PublisherTrace } from '../ingest/publish-gate.ts';

/** Whether both are the same publisher, as far as their connections tell. */
export function isSamePublisher(one: PublisherTrace, other: PublisherTrace): boolean {
  return one.software === other.software && one.remoteAddress === other.remoteAddress;
}
