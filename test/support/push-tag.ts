import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { MediaDoor } from '../../src/service/ingest/media-door.ts';
import type { PublisherSink } from '../../src/service/ingest/publish-gate.ts';

const doors = new WeakMap<PublisherSink, MediaDoor>();

/** Passes a tag to a publisher's sink as the ingest does with the message that carries it. */
export function pushTag(sink: PublisherSink, tag: FlvTag): void {
  const door = doors.get(sink) ?? new MediaDoor(sink);
  doors.set(sink, door);
  const { kind, timestampMs, body } = tag;
  if (kind === 'script') door.takeScript(body);
  else door.take({ kind, timestampMs, body });
}
