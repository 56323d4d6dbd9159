import { isIdrPicture, type NalLengthBytes, type NalUnit, nalType, nalUnits, withLengthPrefix } from './nal-unit.ts';

const recoveryPointPayload = 6;

/** A NAL unit with a recovery point message: exact from this picture on (ISO/IEC 14496-10 §D.1.8). */
const recoveryPoint = Buffer.from([nalType.supplementalInformation, recoveryPointPayload, 1, 0xc4, 0x80]);

/**
 * A keyframe's NAL units with what makes a decoder take it for one.
 *
 * Some encoders send keyframes that are neither IDR pictures nor marked as points of recovery, or say that the picture is whole
 * only some frames later (intra refresh): FLV alone says that they are keyframes.
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

/** A recovery point whose first field, `recovery_frame_cnt`, is 0: in Exp-Golomb code a single bit. */
function isExactAtOnce(unit: NalUnit): boolean {
  return isRecoveryPoint(unit) && ((unit.bytes[3] ?? 0) & 0x80) !== 0;
}
