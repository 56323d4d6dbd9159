import { MediaFormatError } from '../media/media-format-error.ts';

/** ffmpeg writes blocks of a few milliseconds. Anything larger isn't Matroska. */
const maxElementBytes = 16 * 1024 * 1024;
/** Elements whose content is elements, too: segment, cluster and block group. */
const containers = [0x18538067, 0x1f43b675, 0xa0];
const timestampId = 0xe7;
const blockIds = [0xa1, 0xa3];
/** Before a block's data: its track's number, its time and its flags. */
const blockHeadBytes = 4;

/** Sound, and when it begins, in milliseconds. */
export interface TimedSound {
  timeMs: number;
  pcm: Buffer;
}

/** Reads sound with its times from Matroska (RFC 9559), as ffmpeg writes it to a pipe: one track without lacing, in milliseconds. */
export class MatroskaSound {
  /** An element that isn't complete yet. */
  #rest: Buffer = Buffer.alloc(0);
  #clusterMs = 0;

  /**
   * The blocks that these bytes complete.
   *
   * @throws {MediaFormatError} when an element is larger than 16 MiB, or none is found in as many bytes
   */
  push(bytes: Buffer): TimedSound[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const blocks: TimedSound[] = [];
    for (;;) {
      const head = readHead(rest);
      if (head === undefined) break;
      if (containers.includes(head.id)) {
        rest = rest.subarray(head.bytes);
        continue;
      }
      const end = head.bytes + head.contentBytes;
      if (rest.length < end) break;
      const content = rest.subarray(head.bytes, end);
      if (head.id === timestampId) this.#clusterMs = readNumber(content);
      if (blockIds.includes(head.id)) {
        blocks.push({ timeMs: this.#clusterMs + content.readInt16BE(1), pcm: content.subarray(blockHeadBytes) });
      }
      rest = rest.subarray(end);
    }
    if (rest.length > maxElementBytes) throw new MediaFormatError('Matroska: an element is too large, or there is none.');
    // Copied, since the buffer that it is part of may be large.
    this.#rest = Buffer.from(rest);
    return blocks;
  }
}

/** An element's id and the size of its content, and how many bytes both take; undefined if they aren't complete. */
function readHead(bytes: Buffer): { id: number; contentBytes: number; bytes: number } | undefined {
  const idBytes = vintBytes(bytes, 0);
  const sizeBytes = idBytes && vintBytes(bytes, idBytes);
  if (!sizeBytes || bytes.length < idBytes + sizeBytes) return undefined;
  const size = Buffer.from(bytes.subarray(idBytes, idBytes + sizeBytes));
  size[0] = (size[0] ?? 0) & (0xff >> sizeBytes);
  return { id: readNumber(bytes.subarray(0, idBytes)), contentBytes: readNumber(size), bytes: idBytes + sizeBytes };
}

function readNumber(bytes: Buffer): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

/** How many bytes the variable-size integer at `at` takes (RFC 8794 §4); undefined at the end. */
function vintBytes(bytes: Buffer, at: number): number | undefined {
  const first = bytes[at];
  return first && Math.clz32(first) - 23;
}
