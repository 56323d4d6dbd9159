import { MediaFormatError } from './media-format-error.ts';

/** The `obu_type` values used here (AV1 §6.2.2). */
export const obuType = { sequenceHeader: 1, temporalDelimiter: 2, frameHeader: 3, frame: 6 } as const;

/** Most OBUs to read; a frame has far fewer. */
const maxObus = 1_024;

/** An open bitstream unit; its buffers are views. */
export interface Obu {
  type: number;
  /** Including its header. */
  bytes: Buffer;
  payload: Buffer;
}

/**
 * Splits a sample or a configuration into its open bitstream units (AV1 §5.3), in order. The last may omit its size (AV1-ISOBMFF §2.4).
 *
 * @throws {MediaFormatError} when they are incomplete, or more than any frame has
 */
export function readObus(data: Buffer): Obu[] {
  const obus: Obu[] = [];
  for (let position = 0; position < data.length; ) {
    const header = data.readUInt8(position);
    if (header & 0x80 || obus.length === maxObus) throw new MediaFormatError('AV1 data is not a sequence of OBUs.');
    const headerBytes = header & 4 ? 2 : 1;
    const size = header & 2 ? readLeb128(data, position + headerBytes) : undefined;
    const start = position + headerBytes + (size?.bytes ?? 0);
    const end = size === undefined ? data.length : start + size.value;
    if (start > data.length || end > data.length) throw new MediaFormatError('AV1 data ends inside an OBU.');
    obus.push({ type: (header >> 3) & 0xf, bytes: data.subarray(position, end), payload: data.subarray(start, end) });
    position = end;
  }
  return obus;
}

/** `leb128()` (§4.10.5). */
function readLeb128(data: Buffer, position: number): { value: number; bytes: number } {
  let value = 0;
  for (let bytes = 0; bytes < 8; bytes += 1) {
    const byte = data[position + bytes];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * bytes);
    if (!(byte & 0x80)) return { value, bytes: bytes + 1 };
  }
  throw new MediaFormatError('AV1 data has an OBU with an invalid size.');
}
