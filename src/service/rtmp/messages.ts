import { RtmpProtocolError } from './protocol-error.ts';

/** Message type ids (RTMP 1.0 §5.4, §6.2, §7.1). */
export const messageType = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  dataAmf0: 18,
  commandAmf0: 20,
  aggregate: 22,
} as const;

/** Event types of a user control message (RTMP 1.0 §7.1.7) that matter to a publisher. */
export const userControlEvent = { streamBegin: 0, pingRequest: 6, pingResponse: 7 } as const;

/** Chunk stream ids that we send on: 2 is fixed for protocol control (RTMP 1.0 §5.3.1.1), the others are customary. */
export const chunkStream = { control: 2, command: 3, data: 4, audio: 5, video: 6 } as const;

/** A complete RTMP message (RTMP 1.0 §6.1). The timestamp is unsigned 32-bit milliseconds and wraps. */
export interface RtmpMessage {
  typeId: number;
  streamId: number;
  timestampMs: number;
  payload: Buffer;
}

/** Set Chunk Size: the largest chunk payload, in bytes, that we send from now on (RTMP 1.0 §5.4.1). */
export function formatSetChunkSize(sizeBytes: number): RtmpMessage {
  return formatControl(messageType.setChunkSize, sizeBytes);
}

/** Acknowledgement: bytes received so far, modulo 2^32 (RTMP 1.0 §5.4.3). */
export function formatAcknowledgement(receivedBytes: number): RtmpMessage {
  return formatControl(messageType.acknowledgement, receivedBytes >>> 0);
}

/** Window Acknowledgement Size: we expect an acknowledgement after this many bytes (RTMP 1.0 §5.4.4). */
export function formatWindowAcknowledgementSize(sizeBytes: number): RtmpMessage {
  return formatControl(messageType.windowAcknowledgementSize, sizeBytes);
}

/** Set Peer Bandwidth with limit type 2, dynamic (RTMP 1.0 §5.4.5). */
export function formatSetPeerBandwidth(sizeBytes: number): RtmpMessage {
  const dynamicLimit = 2;
  return formatControl(messageType.setPeerBandwidth, sizeBytes, dynamicLimit);
}

/** A user control message with one 32-bit value: a stream id, or the time of a ping (RTMP 1.0 §7.1.7). */
export function formatUserControl(event: number, value: number): RtmpMessage {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(event);
  payload.writeUInt32BE(value, 2);
  return { typeId: messageType.userControl, streamId: 0, timestampMs: 0, payload };
}

/**
 * The 32-bit value at the start of a protocol control message.
 *
 * @throws {RtmpProtocolError} when the message is too short
 */
export function parseControlValue(message: RtmpMessage): number {
  if (message.payload.length < 4) throw new RtmpProtocolError('A protocol control message is too short.');
  return message.payload.readUInt32BE();
}

/**
 * Event type and value of a user control message; the value is undefined for events without one.
 *
 * @throws {RtmpProtocolError} when there is no event type
 */
export function parseUserControl(message: RtmpMessage): { event: number; value: number | undefined } {
  const { payload } = message;
  if (payload.length < 2) throw new RtmpProtocolError('A user control message is too short.');
  return { event: payload.readUInt16BE(), value: payload.length < 6 ? undefined : payload.readUInt32BE(2) };
}

function formatControl(typeId: number, value: number, ...more: number[]): RtmpMessage {
  const payload = Buffer.from([0, 0, 0, 0, ...more]);
  payload.writeUInt32BE(value);
  return { typeId, streamId: 0, timestampMs: 0, payload };
}
