import { isMediaMessage, unpackAggregate } from './aggregate.ts';
import { messageType, parseControlValue, type RtmpMessage } from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

/** The longest chunk header: three bytes of basic header, eleven of message header, four of extended timestamp. */
const longestHeaderBytes = 18;
/** Message header sizes of chunk types 0 to 3 (RTMP 1.0 §5.3.1.2). */
const messageHeaderBytes = [11, 7, 3, 0] as const;
/** The 24-bit value that says an extended timestamp follows (RTMP 1.0 §5.3.1.3). */
const extendedMark = 0xffffff;
/** A message up to this size gets its whole buffer at once; a longer one grows with what really arrives. */
const trustedBytes = 16 * 1024;
/** What is done with a message costs about as much as reading this many chunks, */
const messageWork = 32;
/** and one more for each so many of its bytes: a picture may consist of very many small NAL units. */
const bytesPerWork = 64;

/** What a peer may ask this end to remember. Beyond: {@link RtmpProtocolError}. */
export interface ChunkReaderBounds {
  maxMessageBytes: number;
  /** Largest size that Set Chunk Size may name; the smallest is 1. */
  maxChunkBytes: number;
  maxChunkStreams: number;
  /** Sum of the announced sizes of all messages that have begun and not ended. */
  maxPartialBytes: number;
}

/** What is remembered of a chunk stream between its chunks: the next header may leave any of it out. */
interface ChunkStream {
  readonly id: number;
  timestampMs: number;
  /** The timestamp field last sent, absolute in a type 0 header, else a delta: what a type 3 header repeats. */
  timestampField: number;
  isExtended: boolean;
  lengthBytes: number;
  typeId: number;
  streamId: number;
  /** The message under way; undefined between messages. */
  payload: Buffer | undefined;
  receivedBytes: number;
}

/**
 * Turns the bytes of a connection, after the handshake, into whole messages (RTMP 1.0 §5.3).
 *
 * Messages of different chunk streams may interleave. Set Chunk Size and Abort are obeyed here and not handed on; of an aggregate its
 * parts are. Each message has a buffer of its own, so keeping one keeps nothing else alive.
 */
export class ChunkReader {
  readonly bounds: ChunkReaderBounds;
  readonly #onMessage: (message: RtmpMessage) => void;
  readonly #streams = new Map<number, ChunkStream>();
  /** The start of a header whose end has not arrived yet. */
  readonly #header = Buffer.alloc(longestHeaderBytes);
  #headerBytes = 0;
  #chunkSize = 128;
  #current: ChunkStream | undefined;
  #chunkBytesLeft = 0;
  #partialBytes = 0;
  #isStopped = false;
  #work = 0;
  /** What is still to be handed on of an aggregate message, before anything that came after it. */
  #parts: Iterator<RtmpMessage> | undefined;

  constructor(bounds: ChunkReaderBounds, onMessage: (message: RtmpMessage) => void) {
    this.bounds = bounds;
    this.#onMessage = onMessage;
  }

  /** Whether some of what was pushed waits to be handed on: push again, nothing if there is nothing new. */
  get hasMore(): boolean {
    return this.#parts !== undefined;
  }

  /** Whether a message has begun and not ended, or a header has. */
  get isMidMessage(): boolean {
    return this.#partialBytes > 0 || this.#headerBytes > 0;
  }

  /** What was done so far: a chunk counts 1, each KiB of it 1 more, and a message what handing it on costs. */
  get work(): number {
    return this.#work;
  }

  /**
   * Reads what has arrived, as long as the `budget` of {@link work} lasts, and returns how many bytes were read; whole messages are
   * handed on before this returns.
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
      if (at === bytes.length) break;
      at = this.#current === undefined ? this.#pushHeader(bytes, at) : this.#pushPayload(this.#current, bytes, at);
    }
    return this.#isStopped ? bytes.length : at;
  }

  /** Hands nothing on any more, not even the rest of what is being read, and forgets what was under way. */
  stop(): void {
    this.#isStopped = true;
    this.#streams.clear();
    this.#current = undefined;
    this.#parts = undefined;
  }

  #pushHeader(bytes: Buffer, at: number): number {
    this.#work += 1;
    if (this.#headerBytes === 0 && bytes.length - at >= longestHeaderBytes) {
      return at + this.#parseHeader(bytes, at, longestHeaderBytes);
    }
    const had = this.#headerBytes;
    const has = had + bytes.copy(this.#header, had, at, at + longestHeaderBytes - had);
    const size = this.#parseHeader(this.#header, 0, has);
    this.#headerBytes = size === 0 ? has : 0;
    return at + (size === 0 ? has : size) - had;
  }

  /** Parses a chunk header of which `available` bytes are there; returns its size, 0 when more bytes are needed. */
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
      if (chunkType !== 3) throw new RtmpProtocolError('A message began before the last one of its chunk stream had ended.');
      this.#beginChunk(stream);
      // Some encoders leave the extended timestamp out of type 3 chunks: other bytes here are payload.
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
    // A type 3 header after one of type 0 repeats its timestamp as a delta (RTMP 1.0 §5.3.1.2.4).
    const base = chunkType === 0 ? 0 : stream.timestampMs;
    stream.timestampMs = (base + (chunkType === 3 ? (extended ?? stream.timestampField) : stream.timestampField)) >>> 0;
    this.#beginMessage(stream);
    return extended === undefined ? fieldsEnd : fieldsEnd + 4;
  }

  #openStream(id: number, chunkType: number): ChunkStream {
    // Type 1 lacks only the stream id, which is 0 for the control messages that some encoders open a chunk stream with.
    if (chunkType > 1) throw new RtmpProtocolError('A chunk stream began with a header that leaves out the message length.');
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
      throw new RtmpProtocolError(`A message of ${stream.lengthBytes} bytes is over ${this.bounds.maxMessageBytes}.`);
    }
    if (this.#partialBytes + stream.lengthBytes > this.bounds.maxPartialBytes) {
      throw new RtmpProtocolError(`More than ${this.bounds.maxPartialBytes} bytes of unfinished messages were announced.`);
    }
    this.#partialBytes += stream.lengthBytes;
    stream.payload = Buffer.allocUnsafe(Math.min(stream.lengthBytes, trustedBytes));
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
    let payload = stream.payload ?? Buffer.alloc(0);
    if (received > payload.length) {
      const longer = Buffer.allocUnsafe(Math.min(stream.lengthBytes, Math.max(received, payload.length * 2)));
      payload.copy(longer, 0, 0, stream.receivedBytes);
      payload = stream.payload = longer;
    }
    bytes.copy(payload, stream.receivedBytes, at, at + taken);
    stream.receivedBytes = received;
    this.#work += taken / 1024;
    this.#chunkBytesLeft -= taken;
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
    if (sizeBytes < 1 || sizeBytes > this.bounds.maxChunkBytes) {
      throw new RtmpProtocolError(`A chunk size of ${sizeBytes} bytes is not between 1 and ${this.bounds.maxChunkBytes}.`);
    }
    this.#chunkSize = sizeBytes;
  }

  /** Abort Message (RTMP 1.0 §5.4.2): what has come of that chunk stream's message is thrown away. */
  #abort(id: number): void {
    const stream = this.#streams.get(id);
    if (stream?.payload !== undefined) this.#forgetPartial(stream);
  }

  #forgetPartial(stream: ChunkStream): void {
    this.#partialBytes -= stream.lengthBytes;
    stream.payload = undefined;
    stream.receivedBytes = 0;
  }
}
