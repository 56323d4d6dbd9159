/** Size of the length prefix of each NAL unit in FLV and MP4 (`lengthSizeMinusOne`, ISO/IEC 14496-15 §5.3.3.1). */
export type NalLengthBytes = 1 | 2 | 4;

/** The `nal_unit_type` values used here (ISO/IEC 14496-10 table 7-1). */
export const nalType = {
  slice: 1,
  idrSlice: 5,
  supplementalInformation: 6,
  sequenceParameters: 7,
  pictureParameters: 8,
} as const;

/** Most NAL units to read of an access unit: the longest message in slices of 4 KiB has this many. */
const maxNalUnits = 4_096;

/** Types 1 to 5 are coded slices. NAL units before the first one describe the picture but are not part of it. */
const lastSliceType = 5;

/** One NAL unit of an access unit; `bytes` is a view, without the length prefix and never empty. */
export interface NalUnit {
  type: number;
  /** Offset of its length prefix in the access unit. */
  position: number;
  bytes: Buffer;
}

/** Whether a NAL unit is a coded slice. */
export function isSlice({ type }: Pick<NalUnit, 'type'>): boolean {
  return type >= 1 && type <= lastSliceType;
}

/**
 * Yields the NAL units of an access unit in order. Stops silently at an invalid length prefix, and after the most that a picture may
 * have.
 */
export function* nalUnits(accessUnit: Buffer, lengthBytes: NalLengthBytes): Generator<NalUnit> {
  for (let position = 0, count = 0; position + lengthBytes < accessUnit.length && count < maxNalUnits; count += 1) {
    const start = position + lengthBytes;
    const end = start + accessUnit.readUIntBE(position, lengthBytes);
    if (end > accessUnit.length) return;
    if (end > start) yield { type: accessUnit.readUInt8(start) & 0x1f, position, bytes: accessUnit.subarray(start, end) };
    position = end;
  }
}

/** The state of an access unit's NAL units; `padded`: some are empty. */
type NalStructure = 'whole' | 'padded' | 'broken';

/**
 * Passes the first byte of each NAL unit of an access unit to `onHeader`; empty NAL units have none.
 *
 * It is broken unless `data` is a sequence of complete NAL units, not all empty, with length prefixes of `lengthBytes` (ISO/IEC 14496-15
 * §4.3.3), and no more than any picture has. Anything else would break players, which trust the prefixes.
 */
export function surveyNalHeaders(
  data: Buffer,
  lengthBytes: NalLengthBytes,
  onHeader: (firstByte: number) => void,
): NalStructure {
  let position = 0;
  let count = 0;
  let empty = 0;
  for (; position + lengthBytes <= data.length; count += 1) {
    if (count === maxNalUnits) return 'broken';
    const start = position + lengthBytes;
    position = start + data.readUIntBE(position, lengthBytes);
    if (position > start) onHeader(data[start] ?? 0);
    else empty += 1;
  }
  if (position !== data.length || empty === count) return 'broken';
  return empty === 0 ? 'whole' : 'padded';
}

/**
 * A copy of an access unit without its empty NAL units, which some encoders send: Chromium fails to append a sample that has one, and some
 * versions of ffmpeg refuse it.
 */
export function withoutEmptyUnits(accessUnit: Buffer, lengthBytes: NalLengthBytes): Buffer {
  const kept = Buffer.alloc(accessUnit.length);
  let length = 0;
  for (const { position, bytes } of nalUnits(accessUnit, lengthBytes)) {
    length += accessUnit.copy(kept, length, position, position + lengthBytes + bytes.length);
  }
  return kept.subarray(0, length);
}

/** Whether an access unit is an IDR picture: no later frame depends on anything before it (ISO/IEC 14496-10 §3.69). */
export function isIdrPicture(accessUnit: Buffer, lengthBytes: NalLengthBytes): boolean {
  return nalUnits(accessUnit, lengthBytes).some(({ type }) => type === nalType.idrSlice);
}

/** Whether no other picture refers to this one: `nal_ref_idc` of its slices is 0 (ISO/IEC 14496-10 §7.4.1). */
export function isDisposable(accessUnit: Buffer, lengthBytes: NalLengthBytes): boolean {
  const slice = nalUnits(accessUnit, lengthBytes).find(isSlice);
  return slice !== undefined && ((slice.bytes[0] ?? 0) & 0x60) === 0;
}

/** A NAL unit with its length prefix. */
export function withLengthPrefix(nalUnit: Buffer, lengthBytes: NalLengthBytes): Buffer {
  const prefix = Buffer.alloc(lengthBytes);
  prefix.writeUIntBE(nalUnit.length, 0, lengthBytes);
  return Buffer.concat([prefix, nalUnit]);
}

/** Inserts an emulation_prevention_three_byte wherever the bytes would look like a start code (ISO/IEC 14496-10 §7.4.1). */
export function withEmulationPrevention(bytes: Buffer): Buffer {
  const protectedBytes: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      protectedBytes.push(3);
      zeros = 0;
    }
    protectedBytes.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(protectedBytes);
}

/** Removes each emulation_prevention_three_byte (ISO/IEC 14496-10 §7.4.1). */
export function withoutEmulationPrevention(bytes: Buffer): Buffer {
  const output = Buffer.alloc(bytes.length);
  let length = 0;
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    output[length] = byte;
    length += 1;
  }
  return output.subarray(0, length);
}
