import type { Publisher } from '../../src/service/ingest/publish-gate.ts';

/** A publisher of this computer that says nothing of itself, but for `given`. */
export function createPublisher(given: Partial<Publisher> = {}): Publisher {
  return { protocol: 'RTMP', remoteAddress: '127.0.0.1', software: undefined, connectedAt: 0, close: () => {}, ...given };
}
