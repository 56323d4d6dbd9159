import type { RtmpPublisher, RtmpPublisherEnd } from '../../src/service/rtmp/rtmp-publisher.ts';

/** A connection to an ingest that does nothing by itself and ends as the test says. */
export function createFakePublisher(
  closed: () => Promise<RtmpPublisherEnd>,
  options: Partial<Pick<RtmpPublisher, 'send' | 'close' | 'droppedFrames' | 'measureWay'>> = {},
): RtmpPublisher {
  return {
    get closed() {
      return closed();
    },
    queuedMs: 0,
    bufferedBytes: 0,
    inFlightBytes: undefined,
    measureWay: () => ({ queueMs: 0, waitMs: 0, carried: undefined }),
    droppedFrames: 0,
    send: () => {},
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
    ...options,
  };
}
