import { extendedMark, messageHeaderBytes } from './chunk-format.ts';
import { messageType, type RtmpMessage } from './messages.ts';

/** The state of a chunk stream that the peer remembers, so that the next header can omit it. */
interface SentHeader {
  timestampMs: number;
  /** Undefined after a type 0 header: readers disagree on whether a type 3 header then repeats its timestamp as a delta. */
  deltaMs: number | undefined;
  lengthBytes: number;
  typeId: number;
  streamId: number;
}

/** Turns messages into the chunks of one connection (RTMP 1.0 §5.3), each with the shortest possible header. */
export class ChunkWriter {
  readonly #sent = new Map<number, SentHeader>();
  #chunkSize = 128;

  /**
   * Formats one message for a chunk stream (2 to 65599). Send messages in the order they were formatted.
   *
   * A Set Chunk Size message takes effect for the messages after it.
   */
  format(chunkStreamId: number, message: RtmpMessage): Buffer {
    const { payload } = message;
    const last = this.#sent.get(chunkStreamId);
    const deltaMs = last === undefined ? undefined : forwardDelta(last.timestampMs, message.timestampMs);
    const chunkType = chooseChunkType(last, message, deltaMs);
    const field = chunkType === 0 ? message.timestampMs : (deltaMs ?? 0);
    this.#sent.set(chunkStreamId, {
      timestampMs: message.timestampMs,
      deltaMs: chunkType === 0 ? undefined : deltaMs,
      lengthBytes: payload.length,
      typeId: message.typeId,
      streamId: message.streamId,
    });

    const extended = field >= extendedMark ? formatUInt32(field) : Buffer.alloc(0);
    const head = Buffer.concat([
      formatBasicHeader(chunkType, chunkStreamId),
      formatMessageHeader(chunkType, Math.min(field, extendedMark), message),
      extended,
    ]);
    const chunkCount = Math.max(1, Math.ceil(payload.length / this.#chunkSize));
    const between = chunkCount === 1 ? extended : Buffer.concat([formatBasicHeader(3, chunkStreamId), extended]);

    const bytes = Buffer.allocUnsafe(head.length + (chunkCount - 1) * between.length + payload.length);
    let at = head.copy(bytes);
    for (let from = 0; from < payload.length; from += this.#chunkSize) {
      if (from > 0) at += between.copy(bytes, at);
      at += payload.copy(bytes, at, from, from + this.#chunkSize);
    }
    if (message.typeId === messageType.setChunkSize) this.#chunkSize = payload.readUInt32BE();
    return bytes;
  }
}

/** Milliseconds from one wrapping timestamp to a later one; undefined if the second is earlier. */
function forwardDelta(from: number, to: number): number | undefined {
  const delta = (to - from) >>> 0;
  return delta < 0x80000000 ? delta : undefined;
}

function chooseChunkType(last: SentHeader | undefined, message: RtmpMessage, deltaMs: number | undefined): 0 | 1 | 2 | 3 {
  if (last === undefined || deltaMs === undefined || last.streamId !== message.streamId) return 0;
  if (last.typeId !== message.typeId || last.lengthBytes !== message.payload.length) return 1;
  return last.deltaMs === deltaMs ? 3 : 2;
}

/** RTMP 1.0 §5.3.1.1. */
function formatBasicHeader(chunkType: number, chunkStreamId: number): Buffer {
  const type = chunkType << 6;
  if (chunkStreamId < 64) return Buffer.from([type | chunkStreamId]);
  const id = chunkStreamId - 64;
  return id < 256 ? Buffer.from([type, id]) : Buffer.from([type | 1, id & 0xff, id >> 8]);
}

/** RTMP 1.0 §5.3.1.2. */
function formatMessageHeader(chunkType: 0 | 1 | 2 | 3, field: number, message: RtmpMessage): Buffer {
  const header = Buffer.alloc(messageHeaderBytes[0]);
  header.writeUIntBE(field, 0, 3);
  header.writeUIntBE(message.payload.length, 3, 3);
  header.writeUInt8(message.typeId, 6);
  header.writeUInt32LE(message.streamId, 7);
  return header.subarray(0, messageHeaderBytes[chunkType]);
}

function formatUInt32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
