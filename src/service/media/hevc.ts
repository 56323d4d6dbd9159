import { isCredibleFps } from './credible-fps.ts';
import { type HevcParameters, parseHevcSps } from './hevc-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import { type NalLengthBytes, surveyNalHeaders, withoutEmptyUnits } from './nal-unit.ts';
import type { PictureFacts } from './track-config.ts';

/** What a decoder needs to know about an HEVC track. */
export interface HevcConfig extends HevcParameters {
  /** The HEVCDecoderConfigurationRecord itself, copied: the payload of an `hvcC` box. */
  record: Buffer;
  /** Codec string, like `hvc1.1.6.L93.B0`. */
  codec: string;
  nalLengthBytes: NalLengthBytes;
  /** Frames per second, only if the record promises a constant rate. */
  fps?: number;
}

/** The `nal_unit_type` values used here (ISO/IEC 23008-2 table 7-1). */
const hevcNalType = {
  firstBrokenLink: 16,
  lastIdr: 20,
  lastSlice: 31,
  videoParameters: 32,
  sequenceParameters: 33,
  pictureParameters: 34,
} as const;

const arraysAt = 23;
/** Most parameter sets of a stream (16, 16 and 64) and some messages (ISO/IEC 23008-2 §7.4.3). */
const maxUnits = 256;

/**
 * Parses an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15 §8.3.3.1) and its first sequence parameter set.
 *
 * @throws {MediaFormatError} when it is malformed or has no parameter sets
 */
export function parseHevcConfig(bytes: Buffer): HevcConfig {
  if (bytes.length < arraysAt) throw new MediaFormatError(`HEVC configuration of ${bytes.length} bytes is too short.`);
  if (bytes.readUInt8(0) !== 1) throw new MediaFormatError(`HEVC configuration version ${bytes.readUInt8(0)} is unknown.`);
  const rates = bytes.readUInt8(21);
  const nalLengthBytes = (rates & 3) + 1;
  if (nalLengthBytes === 3) throw new MediaFormatError('HEVC configuration has length prefixes of 3 bytes.');
  const arrays = readArrays(bytes);
  for (const type of [hevcNalType.videoParameters, hevcNalType.pictureParameters]) {
    if (!arrays.some((array) => array.type === type && array.units.length > 0)) {
      throw new MediaFormatError('HEVC configuration lacks some parameter sets.');
    }
  }
  const sequence = arrays.find(({ type }) => type === hevcNalType.sequenceParameters)?.units[0];
  if (sequence === undefined) throw new MediaFormatError('HEVC configuration has no sequence parameter set.');
  const parameters = parseHevcSps(sequence);
  // `constantFrameRate` is 1 or 2, `avgFrameRate` in frames per 256 seconds.
  const fps = rates >> 6 === 0 ? 0 : (parameters.nominalFps ?? bytes.readUInt16BE(19) / 256);
  return {
    ...parameters,
    record: Buffer.from(bytes),
    codec: formatCodecString(bytes),
    nalLengthBytes: nalLengthBytes as NalLengthBytes,
    ...(isCredibleFps(fps) && { fps }),
  };
}

/** NAL units of one type in a configuration record; they are views. */
interface NalArray {
  type: number;
  /** Offset of its first byte. */
  position: number;
  units: Buffer[];
}

function readArrays(bytes: Buffer): NalArray[] {
  let position = arraysAt;
  let unitsLeft = maxUnits;
  const take = (count: number) => {
    const start = position;
    position += count;
    if (position > bytes.length) throw new MediaFormatError('HEVC configuration ends inside its parameter sets.');
    return bytes.subarray(start, position);
  };
  return Array.from({ length: bytes.readUInt8(arraysAt - 1) }, () => {
    const start = position;
    const type = take(1).readUInt8(0) & 0x3f;
    const count = take(2).readUInt16BE(0);
    unitsLeft -= count;
    if (unitsLeft < 0) throw new MediaFormatError('HEVC configuration has too many parameter sets.');
    const units = Array.from({ length: count }, () => take(take(2).readUInt16BE(0)));
    return { type, position: start, units };
  });
}

/**
 * The record for the sample entry `hvc1`. Its parameter sets are complete, which `array_completeness` must say (ISO/IEC 14496-15
 * §8.3.3.1.3) but encoders do not set.
 */
export function completeArrays({ record }: Pick<HevcConfig, 'record'>): Buffer {
  const completed = Buffer.from(record);
  for (const { type, position } of readArrays(record)) {
    const isParameters = type >= hevcNalType.videoParameters && type <= hevcNalType.pictureParameters;
    if (isParameters) completed.writeUInt8(completed.readUInt8(position) | 0x80, position);
  }
  return completed;
}

/** ISO/IEC 14496-15 §E.3: profile, reversed compatibility flags, tier and level, constraints without trailing zeros. */
function formatCodecString(record: Buffer): string {
  const general = record.readUInt8(1);
  const space = ['', 'A', 'B', 'C'][general >> 6];
  let compatible = 0;
  for (let bit = 0; bit < 32; bit += 1) compatible += ((record.readUInt32BE(2) >>> bit) & 1) * 2 ** (31 - bit);
  const constraints = [...record.subarray(6, 12)];
  const last = constraints.findLastIndex((byte) => byte !== 0);
  const tier = general & 0x20 ? 'H' : 'L';
  return [
    ...['hvc1', `${space}${general & 0x1f}`, compatible.toString(16).toUpperCase(), `${tier}${record.readUInt8(12)}`],
    ...constraints.slice(0, last + 1).map((byte) => byte.toString(16).toUpperCase()),
  ].join('.');
}

/**
 * Inspects an access unit. It is independent if it is an IDR or BLA picture (ISO/IEC 23008-2 §3.69, §3.14): a CRA picture may be followed
 * by pictures that are shown before it and do depend on earlier ones. Undefined if it has no coded slice.
 *
 * @throws {MediaFormatError} when {@link surveyNalHeaders} finds it broken
 */
export function inspectHevcPicture(
  data: Buffer,
  { nalLengthBytes }: Pick<HevcConfig, 'nalLengthBytes'>,
): PictureFacts | undefined {
  let hasPicture = false;
  let independent = false;
  const structure = surveyNalHeaders(data, nalLengthBytes, (firstByte) => {
    const type = (firstByte >> 1) & 0x3f;
    hasPicture ||= type <= hevcNalType.lastSlice;
    independent ||= type >= hevcNalType.firstBrokenLink && type <= hevcNalType.lastIdr;
  });
  if (structure === 'broken') throw new MediaFormatError('A video frame has broken NAL unit lengths.');
  if (!hasPicture) return undefined;
  return structure === 'padded' ? { independent, sample: withoutEmptyUnits(data, nalLengthBytes) } : { independent };
}
