import { formatTagTime, formatUnitTag } from '../flv/unit-tag.ts';
import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { type RtmpPublisherOptions, startRtmpPublisher } from './rtmp-client.ts';
import type { RtmpPublisher, TagRole } from './rtmp-publisher.ts';
import { formatMetadata } from './script-data.ts';

/** Starts a publication by RTMP that takes units, as {@link startRtmpPublisher} does. */
export async function startMediaPublisher(options: RtmpPublisherOptions): Promise<MediaPublisher> {
  return publishUnits(await startRtmpPublisher(options));
}

/** The publication of an RTMP publisher, for units. */
export function publishUnits(publisher: RtmpPublisher): MediaPublisher {
  return {
    announce(metadata, atMs) {
      publisher.send({ kind: 'script', timestampMs: formatTagTime(atMs), body: formatMetadata(metadata) }, 'config');
    },
    send(unit) {
      publisher.send(formatUnitTag(unit), roleOf(unit));
    },
    get inFlightBytes() {
      return publisher.inFlightBytes;
    },
    measureWay: () => publisher.measureWay(),
    get droppedFrames() {
      return publisher.droppedFrames;
    },
    closed: publisher.closed,
    close: () => publisher.close(),
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
}

function roleOf(unit: MediaUnit): TagRole {
  if (unit.type !== 'video') return unit.type;
  return isKeyframe(unit) ? 'keyframe' : 'frame';
}
