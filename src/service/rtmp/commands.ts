import { type Amf0Value, formatAmf0, parseAmf0 } from './amf0.ts';
import { messageType, type RtmpMessage } from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

/** Commands take a few hundred bytes; longer ones are rejected before parsing. */
const maxCommandBytes = 64 * 1024;
/** The longest command, `connect`, has about twenty values. */
const maxCommandValues = 1_000;

/** A command or the reply to one (RTMP 1.0 §7.2). */
export interface Command {
  name: string;
  /** 0 if no reply is expected. */
  transactionId: number;
  /** The values after the transaction id; the first is the command object. */
  values: Amf0Value[];
}

/** The `info` of an `onStatus` or of a reply to `connect` (RTMP 1.0 §7.2.1.1, §7.2.2). */
export interface StatusInfo {
  level: 'status' | 'error';
  code: string;
  description: string;
  /** Our own ingest's reason as a code, an addition that §7.2.2 permits. */
  reason?: string;
}

/**
 * Parses a message of type 20, or of type 17, whose AMF0 part follows a zero byte.
 *
 * @throws {RtmpProtocolError} when it is too long, malformed or has no name
 */
export function parseCommand(message: RtmpMessage, maxDepth: number): Command {
  if (message.payload.length > maxCommandBytes) throw new RtmpProtocolError('A command is too long.');
  const amf0 = message.typeId === messageType.commandAmf3 ? withoutAmf3Prefix(message.payload) : message.payload;
  const [name, transactionId, ...values] = parseAmf0(amf0, { maxDepth, maxValues: maxCommandValues });
  if (typeof name !== 'string') throw new RtmpProtocolError('A command has no name.');
  // ffmpeg as a server omits the transaction id if no reply is expected.
  return { name, transactionId: typeof transactionId === 'number' ? transactionId : 0, values };
}

/** Formats a command as a type 20 message on a message stream; stream 0 is the connection itself. */
export function formatCommand(streamId: number, name: string, transactionId: number, ...values: Amf0Value[]): RtmpMessage {
  return { typeId: messageType.commandAmf0, streamId, timestampMs: 0, payload: formatAmf0(name, transactionId, ...values) };
}

/** Formats an `onStatus` on a message stream (RTMP 1.0 §7.2.2). */
export function formatStatus(streamId: number, info: StatusInfo): RtmpMessage {
  return formatCommand(streamId, 'onStatus', 0, null, { ...info });
}

/** The fields of a status info, if `value` is one. Real servers omit any of them. */
export function parseStatusInfo(value: Amf0Value): Partial<StatusInfo> {
  const properties = value instanceof Map ? Object.fromEntries(value) : value;
  if (properties === null || typeof properties !== 'object') return {};
  const { level, code, description, reason } = properties as { [name: string]: Amf0Value };
  return {
    ...((level === 'status' || level === 'error') && { level }),
    ...(typeof code === 'string' && { code }),
    ...(typeof description === 'string' && { description }),
    ...(typeof reason === 'string' && { reason }),
  };
}

/** Strips the format byte of an AMF3 message: 0 means that AMF0 follows. */
export function withoutAmf3Prefix(payload: Buffer): Buffer {
  return payload[0] === 0 ? payload.subarray(1) : payload;
}
