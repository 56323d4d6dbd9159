import { parseSps, type SequenceParameters } from './h264-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import type { NalLengthBytes } from './nal-unit.ts';

/** What a decoder needs to know of an H.264 track. */
export interface H264Config extends SequenceParameters {
  /** The AVCDecoderConfigurationRecord itself, copied: the payload of an `avcC` box. */
  record: Buffer;
  /** RFC 6381 codec string, `avc1.PPCCLL` in lowercase hexadecimal. */
  codec: string;
  nalLengthBytes: NalLengthBytes;
}

/**
 * Parses an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1) and its first sequence parameter set.
 *
 * @throws {MediaFormatError} when it is malformed or has no parameter sets.
 */
export function parseH264Config(bytes: Buffer): H264Config {
  if (bytes.length < 7) throw new MediaFormatError(`AVC configuration of ${bytes.length} bytes is too short.`);
  if (bytes.readUInt8(0) !== 1) throw new MediaFormatError(`AVC configuration version ${bytes.readUInt8(0)} is unknown.`);
  const nalLengthBytes = (bytes.readUInt8(4) & 3) + 1;
  if (nalLengthBytes === 3) throw new MediaFormatError('AVC configuration asks for length prefixes of 3 bytes.');
  const sequence = readParameterSets(bytes, 6, bytes.readUInt8(5) & 0x1f);
  const first = sequence.sets[0];
  if (first === undefined) throw new MediaFormatError('AVC configuration has no sequence parameter set.');
  if (sequence.end >= bytes.length) throw new MediaFormatError('AVC configuration has no picture parameter set.');
  const picture = readParameterSets(bytes, sequence.end + 1, bytes.readUInt8(sequence.end));
  if (picture.sets.length === 0) throw new MediaFormatError('AVC configuration has no picture parameter set.');
  return {
    ...parseSps(first),
    record: Buffer.from(bytes),
    codec: `avc1.${bytes.toString('hex', 1, 4)}`,
    nalLengthBytes: nalLengthBytes as NalLengthBytes,
  };
}

function readParameterSets(bytes: Buffer, start: number, count: number): { sets: Buffer[]; end: number } {
  const sets: Buffer[] = [];
  let position = start;
  for (let index = 0; index < count; index += 1) {
    if (position + 2 > bytes.length) throw new MediaFormatError('AVC configuration ends inside its parameter sets.');
    const end = position + 2 + bytes.readUInt16BE(position);
    if (end > bytes.length) throw new MediaFormatError('AVC configuration ends inside a parameter set.');
    sets.push(bytes.subarray(position + 2, end));
    position = end;
  }
  return { sets, end: position };
}

/**
 * Whether `data` is a non-empty row of whole NAL units with length prefixes of `nalLengthBytes`
 * (ISO/IEC 14496-15 §4.3.3). Anything else would break players, which trust the prefixes.
 */
export function isWholeNalUnits(data: Buffer, nalLengthBytes: NalLengthBytes): boolean {
  let position = 0;
  while (position + nalLengthBytes <= data.length) {
    position += nalLengthBytes + data.readUIntBE(position, nalLengthBytes);
  }
  return data.length > 0 && position === data.length;
}
