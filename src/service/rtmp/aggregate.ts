import { readTagHeader, tagHeaderBytes } from '../flv/flv-tag.ts';
import { messageType, type RtmpMessage } from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

/** Each message is followed by a back pointer: its size, header included. */
const backPointerBytes = 4;

/**
 * Yields the messages inside an aggregate message in order (RTMP 1.0 §7.1.6). They are FLV tags with headers; each message gets its
 * own bytes.
 *
 * The first message takes the aggregate's timestamp, the others keep their distance to it. All take its stream id.
 *
 * @throws {RtmpProtocolError} when a message is truncated or is itself an aggregate
 */
export function* unpackAggregate(aggregate: RtmpMessage): Generator<RtmpMessage> {
  const { payload, streamId } = aggregate;
  let offsetMs: number | undefined;
  for (let at = 0; at < payload.length; ) {
    const bodyAt = at + tagHeaderBytes;
    if (bodyAt > payload.length) throw cutShort();
    const { type: typeId, bodyBytes, timestampMs } = readTagHeader(payload, at);
    const bodyEnd = bodyAt + bodyBytes;
    if (bodyEnd > payload.length) throw cutShort();
    if (typeId === messageType.aggregate) throw new RtmpProtocolError('An aggregate message contains another one.');
    offsetMs ??= aggregate.timestampMs - timestampMs;
    const body = Buffer.from(payload.subarray(bodyAt, bodyEnd));
    yield { typeId, streamId, timestampMs: (timestampMs + offsetMs) >>> 0, payload: body };
    at = bodyEnd + backPointerBytes;
  }
}

const mediaTypes: readonly number[] = [messageType.audio, messageType.video, messageType.dataAmf0, messageType.dataAmf3];

/** Whether a message is audio, video or script. Other messages inside an aggregate are ignored. */
export function isMediaMessage({ typeId }: RtmpMessage): boolean {
  return mediaTypes.includes(typeId);
}

function cutShort(): RtmpProtocolError {
  return new RtmpProtocolError('A message inside an aggregate message is cut short.');
}
