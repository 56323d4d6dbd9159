import type { MediaPublisher } from '../../src/service/rtmp/media-publisher.ts';
import type { RtmpPublisherEnd } from '../../src/service/rtmp/rtmp-publisher.ts';

/** A connection to an ingest that does nothing by itself and ends as the test says. */
export function createFakePublisher(
  closed: () => Promise<RtmpPublisherEnd>,
  options: Partial<Pick<MediaPublisher, 'send' | 'close' | 'droppedFrames' | 'measureWay'>> = {},
): MediaPublisher {
  return {
    get closed() {
      return closed();
    },
    inFlightBytes: undefined,
    measureWay: () => ({ queueMs: 0, waitMs: 0, carried: undefined }),
    droppedFrames: 0,
    announce: () => {},
    send: () => {},
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
    ...options,
  };
}
