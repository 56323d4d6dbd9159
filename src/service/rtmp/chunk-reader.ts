import { isMediaMessage, unpackAggregate } from './aggregate.ts';
import { extendedMark, messageHeaderBytes } from './chunk-format.ts';
import { messageType, parseControlValue, type RtmpMessage } from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

/** The longest chunk header: three bytes of basic header, eleven of message header, four of extended timestamp. */
const longestHeaderBytes = 18;
/** The largest size that Set Chunk Size can carry (RTMP 1.0 §5.4.1); no chunk is longer than its message. */
const maxChunkBytes = 0x7fffffff;
/** A message up to this size gets its complete buffer at once; the buffer of a longer one grows as data arrives. */
const trustedBytes = 16 * 1024;
/**
 * A message that makes up this share of the memory it arrived in is passed on as a view of it, since that keeps little else
 * alive.
 */
const viewShare = 0.5;
const nothing = Buffer.alloc(0);
/** Handling a message costs about as much as reading this many chunks, */
const messageWork = 32;
/** plus one more per this many bytes, since an access unit may consist of very many small NAL units. */
const bytesPerWork = 64;

/** Limits on what a peer can make this end remember. Exceeding one throws {@link RtmpProtocolError}. */
export interface ChunkReaderBounds {
  maxMessageBytes: number;
  maxChunkStreams: number;
  /** Sum of the announced sizes of all incomplete messages. */
  maxPartialBytes: number;
}

/** State of a chunk stream between its chunks: the next header may omit any of it. */
interface ChunkStream {
  readonly id: number;
  timestampMs: number;
  /** The last timestamp field: absolute in a type 0 header, else a delta. A type 3 header repeats it. */
  timestampField: number;
  isExtended: boolean;
  lengthBytes: number;
  typeId: number;
  streamId: number;
  /** The message being received; undefined between messages. */
  payload: Buffer | undefined;
  receivedBytes: number;
}

/**
 * Turns the bytes of a connection, after the handshake, into complete messages (RTMP 1.0 §5.3).
 *
 * Messages of different chunk streams may interleave. Set Chunk Size and Abort are handled here and not passed on. An aggregate is
 * passed on as its parts. A message may be a view of the pushed bytes, which then must not change; it keeps at most twice its
 * own size in memory.
 */
export class ChunkReader {
  readonly bounds: ChunkReaderBounds;
  readonly #onMessage: (message: RtmpMessage) => void;
  readonly #streams = new Map<number, ChunkStream>();
  /** The start of a header that is still incomplete. */
  readonly #header = Buffer.alloc(longestHeaderBytes);
  #headerBytes = 0;
  /** Bytes that were mistaken for the end of a header but are payload; they are read before the unread bytes that follow them. */
  #misread: Buffer | undefined;
  #chunkSize = 128;
  #current: ChunkStream | undefined;
  #chunkBytesLeft = 0;
  #partialBytes = 0;
  #isStopped = false;
  #work = 0;
  /** The remaining parts of an aggregate message, passed on before anything that arrived after it. */
  #parts: Iterator<RtmpMessage> | undefined;

  constructor(bounds: ChunkReaderBounds, onMessage: (message: RtmpMessage) => void) {
    this.bounds = bounds;
    this.#onMessage = onMessage;
  }

  /** Whether data that was read is still waiting to be passed on: push again, with an empty buffer if nothing new arrived. */
  get hasMore(): boolean {
    return this.#parts !== undefined;
  }

  /** Whether a message or a header is incomplete. */
  get isMidMessage(): boolean {
    return this.#partialBytes > 0 || this.#headerBytes > 0;
  }

  /** Work done so far: 1 per chunk, 1 per KiB of it, and for each message the cost of handling it. */
  get work(): number {
    return this.#work;
  }

  /**
   * Reads the bytes until the `budget` of {@link work} is used up, and returns how many were read. Complete messages are passed on
   * before this returns.
   *
   * @throws {RtmpProtocolError}
   */
  push(bytes: Buffer, budget = Number.POSITIVE_INFINITY): number {
    const end = this.#work + budget;
    let at = 0;
    while (!this.#isStopped && this.#work < end) {
      if (this.#parts !== undefined) {
        this.#handOnPart(this.#parts);
        continue;
      }
      const misread = this.#misread;
      if (misread !== undefined) {
        this.#misread = undefined;
        const rest = misread.subarray(this.#pushSome(misread, 0));
        if (rest.length > 0) this.#misread = rest;
        continue;
      }
      if (at === bytes.length) break;
      at = this.#pushSome(bytes, at);
    }
    return at;
  }

  /** Stops passing on messages, even those in the bytes being read, and discards incomplete ones. */
  stop(): void {
    this.#isStopped = true;
    this.#streams.clear();
    this.#current = undefined;
    this.#parts = undefined;
    this.#misread = undefined;
  }

  /** Reads a header or payload from `at` on, and returns where it ends. */
  #pushSome(bytes: Buffer, at: number): number {
    return this.#current === undefined ? this.#pushHeader(bytes, at) : this.#pushPayload(this.#current, bytes, at);
  }

  #pushHeader(bytes: Buffer, at: number): number {
    this.#work += 1;
    if (this.#headerBytes === 0 && bytes.length - at >= longestHeaderBytes) {
      return at + this.#parseHeader(bytes, at, longestHeaderBytes);
    }
    const had = this.#headerBytes;
    const has = had + bytes.copy(this.#header, had, at);
    const size = this.#parseHeader(this.#header, 0, has);
    this.#headerBytes = size === 0 ? has : 0;
    if (size > 0 && size < had) {
      // The extended timestamp that was expected is omitted by this encoder.
      this.#misread = Buffer.from(this.#header.subarray(size, had));
      return at;
    }
    return at + (size === 0 ? has : size) - had;
  }

  /** Parses a chunk header with `available` bytes; returns its size, or 0 when it needs more bytes. */
  #parseHeader(bytes: Buffer, start: number, available: number): number {
    const first = bytes[start] ?? 0;
    const chunkType = (first >> 6) as 0 | 1 | 2 | 3;
    const shortId = first & 0x3f;
    const basicBytes = shortId === 0 ? 2 : shortId === 1 ? 3 : 1;
    const fieldsEnd = basicBytes + messageHeaderBytes[chunkType];
    if (available < fieldsEnd) return 0;
    const id = shortId === 0 ? 64 + bytes.readUInt8(start + 1) : shortId === 1 ? 64 + bytes.readUInt16LE(start + 1) : shortId;

    const known = this.#streams.get(id);
    const fieldsAt = start + basicBytes;
    const field = chunkType === 3 ? undefined : bytes.readUIntBE(fieldsAt, 3);
    const mayBeExtended = field === undefined ? known?.isExtended === true : field === extendedMark;
    if (mayBeExtended && available < fieldsEnd + 4) return 0;
    const extended = mayBeExtended ? bytes.readUInt32BE(start + fieldsEnd) : undefined;

    const stream = known ?? this.#openStream(id, chunkType);
    if (stream.payload !== undefined) {
      if (chunkType !== 3) throw new RtmpProtocolError('A message began before the previous one of its chunk stream ended.');
      this.#beginChunk(stream);
      // Some encoders omit the extended timestamp in type 3 chunks; then these bytes are payload.
      return extended === stream.timestampField ? fieldsEnd + 4 : fieldsEnd;
    }
    if (chunkType <= 1) {
      stream.lengthBytes = bytes.readUIntBE(fieldsAt + 3, 3);
      stream.typeId = bytes.readUInt8(fieldsAt + 6);
    }
    if (chunkType === 0) stream.streamId = bytes.readUInt32LE(fieldsAt + 7);
    if (field !== undefined) {
      stream.timestampField = extended ?? field;
      stream.isExtended = extended !== undefined;
    }
    // A type 3 header after a type 0 header repeats its timestamp as a delta (RTMP 1.0 §5.3.1.2.4).
    const base = chunkType === 0 ? 0 : stream.timestampMs;
    stream.timestampMs = (base + (extended ?? stream.timestampField)) >>> 0;
    this.#beginMessage(stream);
    return extended === undefined ? fieldsEnd : fieldsEnd + 4;
  }

  #openStream(id: number, chunkType: number): ChunkStream {
    // Type 1 only lacks the stream id, which is 0 for control messages: some encoders open a chunk stream with one.
    if (chunkType > 1) throw new RtmpProtocolError('A chunk stream began with a header without a message length.');
    if (this.#streams.size >= this.bounds.maxChunkStreams) {
      throw new RtmpProtocolError(`More than ${this.bounds.maxChunkStreams} chunk streams were opened.`);
    }
    const stream: ChunkStream = {
      id,
      timestampMs: 0,
      timestampField: 0,
      isExtended: false,
      lengthBytes: 0,
      typeId: 0,
      streamId: 0,
      payload: undefined,
      receivedBytes: 0,
    };
    this.#streams.set(id, stream);
    return stream;
  }

  #beginMessage(stream: ChunkStream): void {
    if (stream.lengthBytes > this.bounds.maxMessageBytes) {
      throw new RtmpProtocolError(
        `A message of ${stream.lengthBytes} bytes exceeds the limit of ${this.bounds.maxMessageBytes}.`,
      );
    }
    if (this.#partialBytes + stream.lengthBytes > this.bounds.maxPartialBytes) {
      throw new RtmpProtocolError(`More than ${this.bounds.maxPartialBytes} bytes of incomplete messages were announced.`);
    }
    this.#partialBytes += stream.lengthBytes;
    stream.payload = nothing;
    stream.receivedBytes = 0;
    this.#beginChunk(stream);
    if (stream.lengthBytes === 0) this.#endMessage(stream, stream.payload);
  }

  #beginChunk(stream: ChunkStream): void {
    this.#current = stream;
    this.#chunkBytesLeft = Math.min(this.#chunkSize, stream.lengthBytes - stream.receivedBytes);
  }

  #pushPayload(stream: ChunkStream, bytes: Buffer, at: number): number {
    const taken = Math.min(this.#chunkBytesLeft, bytes.length - at);
    const received = stream.receivedBytes + taken;
    this.#work += taken / 1024;
    this.#chunkBytesLeft -= taken;
    if (taken === stream.lengthBytes && taken >= bytes.buffer.byteLength * viewShare) {
      this.#endMessage(stream, bytes.subarray(at, at + taken));
      return at + taken;
    }
    let payload = stream.payload ?? nothing;
    if (received > payload.length) {
      const longer = Buffer.allocUnsafe(Math.min(stream.lengthBytes, Math.max(received, payload.length * 2, trustedBytes)));
      payload.copy(longer, 0, 0, stream.receivedBytes);
      payload = stream.payload = longer;
    }
    bytes.copy(payload, stream.receivedBytes, at, at + taken);
    stream.receivedBytes = received;
    if (received === stream.lengthBytes) this.#endMessage(stream, payload);
    else if (this.#chunkBytesLeft === 0) this.#current = undefined;
    return at + taken;
  }

  #endMessage(stream: ChunkStream, payload: Buffer): void {
    this.#forgetPartial(stream);
    this.#current = undefined;
    const message = { typeId: stream.typeId, streamId: stream.streamId, timestampMs: stream.timestampMs, payload };
    if (message.typeId === messageType.setChunkSize) this.#setChunkSize(parseControlValue(message));
    else if (message.typeId === messageType.abort) this.#abort(parseControlValue(message));
    else if (message.typeId === messageType.aggregate) this.#parts = unpackAggregate(message);
    else this.#handOn(message);
    this.#work += messageWork;
  }

  #handOnPart(parts: Iterator<RtmpMessage>): void {
    const next = parts.next();
    this.#work += messageWork;
    if (next.done) this.#parts = undefined;
    else if (isMediaMessage(next.value)) this.#handOn(next.value);
  }

  #handOn(message: RtmpMessage): void {
    this.#work += message.payload.length / bytesPerWork;
    this.#onMessage(message);
  }

  /** Set Chunk Size (RTMP 1.0 §5.4.1). */
  #setChunkSize(sizeBytes: number): void {
    if (sizeBytes < 1 || sizeBytes > maxChunkBytes) {
      throw new RtmpProtocolError(`A chunk size of ${sizeBytes} bytes is not between 1 and ${maxChunkBytes}.`);
    }
    this.#chunkSize = sizeBytes;
  }

  /** Abort Message (RTMP 1.0 §5.4.2): discards the incomplete message of that chunk stream. */
  #abort(id: number): void {
    const stream = this.#streams.get(id);
    if (stream?.payload !== undefined) this.#forgetPartial(stream);
  }

  #forgetPartial(stream: ChunkStream): void {
    this.#partialBytes -= stream.lengthBytes;
    stream.payload = undefined;
  }
}
