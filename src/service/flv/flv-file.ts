import { MediaFormatError } from '../media/media-format-error.ts';
import { type FlvTag, readTagHeader, tagHeaderBytes } from './flv-tag.ts';

const headerBytes = 9;
const previousTagSizeBytes = 4;
const kindOfType: Readonly<Record<number, FlvTag['kind']>> = { 8: 'audio', 9: 'video', 18: 'script' };
const typeOfKind: Readonly<Record<FlvTag['kind'], number>> = { audio: 8, video: 9, script: 18 };

/**
 * Splits an FLV byte stream into tags as it arrives (Adobe Flash Video File Format 10.1, annex E.2 to E.4).
 *
 * Input may be split anywhere. Tag bodies are views of the input, or of one joined copy where a tag was split.
 */
export class FlvReader {
  #chunks: Buffer[] = [];
  #lengthBytes = 0;
  #neededBytes = headerBytes + previousTagSizeBytes;
  #headerRead = false;
  #failure: MediaFormatError | undefined;

  /** Whether the file's header has arrived completely. */
  get hasHeader(): boolean {
    return this.#headerRead;
  }

  /** How many bytes of an incomplete tag, or of the file's header, have arrived. */
  get unfinishedBytes(): number {
    return this.#lengthBytes;
  }

  /**
   * Takes the next bytes and returns the tags they complete, in order.
   *
   * @throws {MediaFormatError} when the bytes are not FLV, and on every later call: the reader cannot resynchronise.
   */
  push(bytes: Buffer): FlvTag[] {
    return [...this.cut(bytes)];
  }

  /**
   * Like {@link push}, but yields the tags one by one, so tags before a fault are delivered before it is thrown. Run the generator
   * to its end.
   */
  *cut(bytes: Buffer): Generator<FlvTag, void, undefined> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#chunks.push(bytes);
    this.#lengthBytes += bytes.length;
    if (this.#lengthBytes < this.#neededBytes) return;
    // Join only when something is complete, so that a large tag in many small chunks is copied once, not once per chunk.
    const input = this.#chunks.length === 1 ? bytes : Buffer.concat(this.#chunks, this.#lengthBytes);
    try {
      const usedBytes = yield* this.#parse(input);
      const rest = input.subarray(usedBytes);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#lengthBytes = rest.length;
    } catch (error) {
      if (error instanceof MediaFormatError) this.#failure = error;
      this.#chunks = [];
      throw error;
    }
  }

  /** Yields the tags and returns how many bytes they and the header take. */
  *#parse(input: Buffer): Generator<FlvTag, number, undefined> {
    let position = 0;
    if (!this.#headerRead) {
      const dataOffset = parseFlvHeader(input);
      this.#neededBytes = dataOffset + previousTagSizeBytes;
      if (input.length < this.#neededBytes) return 0;
      this.#headerRead = true;
      position = this.#neededBytes;
    }
    for (;;) {
      this.#neededBytes = tagHeaderBytes;
      if (input.length - position < tagHeaderBytes) break;
      const { type, bodyBytes, timestampMs } = readTagHeader(input, position);
      const kind = kindOfType[type];
      if (kind === undefined) throw new MediaFormatError(`FLV tag type ${type} is unknown.`);
      this.#neededBytes = tagHeaderBytes + bodyBytes + previousTagSizeBytes;
      if (input.length - position < this.#neededBytes) break;
      const bodyStart = position + tagHeaderBytes;
      const tagSize = input.readUInt32BE(bodyStart + bodyBytes);
      if (tagSize !== tagHeaderBytes + bodyBytes) {
        throw new MediaFormatError(`FLV tag of ${tagHeaderBytes + bodyBytes} bytes is followed by the size ${tagSize}.`);
      }
      yield { kind, timestampMs, body: input.subarray(bodyStart, bodyStart + bodyBytes) };
      position += tagHeaderBytes + bodyBytes + previousTagSizeBytes;
    }
    return position;
  }
}

/** Checks the file header and returns its DataOffset. */
function parseFlvHeader(input: Buffer): number {
  if (input.toString('latin1', 0, 3) !== 'FLV') throw new MediaFormatError('The FLV signature is missing.');
  const dataOffset = input.readUInt32BE(5);
  if (dataOffset < headerBytes || dataOffset > 64 * 1024) {
    throw new MediaFormatError(`FLV header size ${dataOffset} is out of bounds.`);
  }
  return dataOffset;
}

/** The FLV file header with PreviousTagSize0, with flags for the kinds of tags that follow. */
export function formatFlvHeader({ hasAudio, hasVideo }: { hasAudio: boolean; hasVideo: boolean }): Buffer {
  const flags = (hasAudio ? 4 : 0) | (hasVideo ? 1 : 0);
  return Buffer.from([0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, headerBytes, 0, 0, 0, 0]);
}

/** One tag as FLV bytes: header, body, PreviousTagSize. The body, at most 2^24 - 1 bytes, is copied. */
export function formatFlvTag(tag: FlvTag): Buffer {
  const bytes = Buffer.allocUnsafe(tagHeaderBytes + tag.body.length + previousTagSizeBytes);
  bytes.writeUInt8(typeOfKind[tag.kind], 0);
  bytes.writeUIntBE(tag.body.length, 1, 3);
  bytes.writeUIntBE(tag.timestampMs % 2 ** 24, 4, 3);
  bytes.writeUInt8(Math.floor(tag.timestampMs / 2 ** 24), 7);
  bytes.writeUIntBE(0, 8, 3);
  tag.body.copy(bytes, tagHeaderBytes);
  bytes.writeUInt32BE(tagHeaderBytes + tag.body.length, tagHeaderBytes + tag.body.length);
  return bytes;
}
