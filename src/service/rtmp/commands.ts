import { type Amf0Value, formatAmf0, parseAmf0 } from './amf0.ts';
import { messageType, type RtmpMessage } from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

/** A command is a few hundred bytes; what is longer is refused before it is parsed. */
const maxCommandBytes = 64 * 1024;
/** The longest, `connect`, has some twenty. */
const maxCommandValues = 1_000;

/** A command or the answer to one (RTMP 1.0 §7.2). */
export interface Command {
  name: string;
  /** 0, or missing, where no answer is expected. */
  transactionId: number;
  /** What follows the transaction id: the command object first. */
  values: Amf0Value[];
}

/** The `info` of an `onStatus` or of an answer to `connect` (RTMP 1.0 §7.2.1.1, §7.2.2). */
export interface StatusInfo {
  level: 'status' | 'error';
  code: string;
  description: string;
}

/**
 * The command in a message of type 20, or 17 whose AMF0 part follows a zero byte.
 *
 * @throws {RtmpProtocolError} when it is too long, malformed, or has no name.
 */
export function parseCommand(message: RtmpMessage, maxDepth: number): Command {
  if (message.payload.length > maxCommandBytes) throw new RtmpProtocolError('A command is longer than any should be.');
  const amf0 = message.typeId === messageType.commandAmf3 ? withoutAmf3Prefix(message.payload) : message.payload;
  const [name, transactionId, ...values] = parseAmf0(amf0, { maxDepth, maxValues: maxCommandValues });
  if (typeof name !== 'string') throw new RtmpProtocolError('A command has no name.');
  // ffmpeg as a server leaves the transaction id out where no answer is expected.
  return { name, transactionId: typeof transactionId === 'number' ? transactionId : 0, values };
}

/** The command as a message of type 20 on a message stream; 0 is the connection's own. */
export function formatCommand(streamId: number, name: string, transactionId: number, ...values: Amf0Value[]): RtmpMessage {
  return { typeId: messageType.commandAmf0, streamId, timestampMs: 0, payload: formatAmf0(name, transactionId, ...values) };
}

/** `onStatus` on a message stream (RTMP 1.0 §7.2.2). */
export function formatStatus(streamId: number, info: StatusInfo): RtmpMessage {
  return formatCommand(streamId, 'onStatus', 0, null, { ...info });
}

/** What a status says, where `value` is one: any part may be missing in the wild. */
export function parseStatusInfo(value: Amf0Value): Partial<StatusInfo> {
  const properties = value instanceof Map ? Object.fromEntries(value) : value;
  if (properties === null || typeof properties !== 'object') return {};
  const { level, code, description } = properties as { [name: string]: Amf0Value };
  return {
    ...((level === 'status' || level === 'error') && { level }),
    ...(typeof code === 'string' && { code }),
    ...(typeof description === 'string' && { description }),
  };
}

/** A message in AMF3 form opens with a format byte; 0 says that AMF0 follows. */
export function withoutAmf3Prefix(payload: Buffer): Buffer {
  return payload[0] === 0 ? payload.subarray(1) : payload;
}
