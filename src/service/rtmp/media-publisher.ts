import { formatTagTime, formatUnitTag } from '../flv/unit-tag.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import { type RtmpPublisherOptions, startRtmpPublisher } from './rtmp-client.ts';
import type { PublisherProgress, RtmpPublisher } from './rtmp-publisher.ts';
import { formatMetadata, type StreamMetadata } from './stream-metadata.ts';

/** A publication that takes units. */
export interface MediaPublisher extends PublisherProgress {
  /** Announces the stream's metadata at a decode time in milliseconds. As `send`, never throws. */
  announce(metadata: StreamMetadata, atMs: number): void;
  /** Sends or queues a unit, or drops it if too much is waiting. Never throws; does nothing after the end. */
  send(unit: MediaUnit): void;
}

/** Starts a `MediaPublisher`, as {@link startRtmpPublisher} does. */
export async function startMediaPublisher(options: RtmpPublisherOptions): Promise<MediaPublisher> {
  return publishUnits(await startRtmpPublisher(options));
}

/** The publication of an RTMP publisher, for units. */
export function publishUnits(publisher: RtmpPublisher): MediaPublisher {
  const close = () => publisher.close();
  return {
    announce(metadata, atMs) {
      publisher.send({ kind: 'script', timestampMs: formatTagTime(atMs), body: formatMetadata(metadata) });
    },
    send(unit) {
      publisher.send(formatUnitTag(unit));
    },
    get inFlightBytes() {
      return publisher.inFlightBytes;
    },
    measureWay: () => publisher.measureWay(),
    get droppedFrames() {
      return publisher.droppedFrames;
    },
    closed: publisher.closed,
    close,
    [Symbol.asyncDispose]: close,
  };
}
