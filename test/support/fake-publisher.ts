import type { MediaPublisher, PublicationEnd } from '../../src/service/publishing/media-publisher.ts';

/** A connection to an ingest that does nothing by itself and ends when and how the test decides. */
export function createFakePublisher(
  closed: () => Promise<PublicationEnd>,
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
    close: async () => true,
    [Symbol.asyncDispose]: async () => {},
    ...options,
  };
}
