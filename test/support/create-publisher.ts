import type { Publisher } from '../../src/service/ingest/publish-gate.ts';

/** A local publisher that reports nothing about itself, except `given`. */
export function createPublisher(given: Partial<Publisher> = {}): Publisher {
  return { protocol: 'RTMP', remoteAddress: '127.0.0.1', software: undefined, connectedAt: 0, close: () => {}, ...given };
}
