import type { Publisher } from '../ingest/publish-gate.ts';

/** The facts that identify a publisher when it connects. The address alone doesn't: all programs on one computer share it. */
export type PublisherTrace = Pick<Publisher, 'software' | 'remoteAddress'>;

/** Whether both are the same publisher, as far as their connections tell. */
export function isSamePublisher(one: PublisherTrace, other: PublisherTrace): boolean {
  return one.software === other.software && one.remoteAddress === other.remoteAddress;
}
