import { isIdrPicture, type NalLengthBytes, type NalUnit, nalType, nalUnits, withLengthPrefix } from './nal-unit.ts';

const recoveryPointPayload = 6;

/** A NAL unit with a recovery point message: correct from this picture on (ISO/IEC 14496-10 §D.1.8). */
const recoveryPoint = Buffer.from([nalType.supplementalInformation, recoveryPointPayload, 1, 0xc4, 0x80]);

/**
 * Marks a keyframe's NAL units so that decoders recognise it.
 *
 * Some encoders send keyframes that are neither IDR pictures nor recovery points, or that become correct only some frames later
 * (intra refresh). Only FLV marks those as keyframes.
 */
export function markKeyframe(data: Buffer, nalLengthBytes: NalLengthBytes): Buffer {
  const units = [...nalUnits(data, nalLengthBytes)];
  if (isIdrPicture(data, nalLengthBytes) || units.some(isExactAtOnce)) return data;
  const others = units.filter((unit) => !isRecoveryPoint(unit)).map(({ bytes }) => bytes);
  return Buffer.concat([recoveryPoint, ...others].map((bytes) => withLengthPrefix(bytes, nalLengthBytes)));
}

function isRecoveryPoint({ type, bytes }: NalUnit): boolean {
  return type === nalType.supplementalInformation && bytes[1] === recoveryPointPayload;
}

/** Whether the first field of a recovery point, `recovery_frame_cnt`, is 0: a single bit in Exp-Golomb code. */
function isExactAtOnce(unit: NalUnit): boolean {
  return isRecoveryPoint(unit) && ((unit.bytes[3] ?? 0) & 0x80) !== 0;
}
