import { type NalLengthBytes, nalType, nalUnits, withLengthPrefix } from '../media/nal-unit.ts';

const recoveryPointPayload = 6;

/** A NAL unit with a recovery point message: exact from this picture on (ISO/IEC 14496-10 §D.1.8). */
const recoveryPoint = Buffer.from([nalType.supplementalInformation, recoveryPointPayload, 1, 0xc4, 0x80]);

/**
 * What must stand before a keyframe's NAL units so that a decoder takes it for one too; empty where it does anyway.
 *
 * Some encoders send keyframes that are neither IDR pictures nor marked as points of recovery: FLV alone says that they are.
 */
export function recoveryPrefix(data: Buffer, nalLengthBytes: NalLengthBytes): Buffer {
  for (const { type, bytes } of nalUnits(data, nalLengthBytes)) {
    if (type === nalType.idrSlice) return Buffer.alloc(0);
    if (type === nalType.supplementalInformation && bytes[1] === recoveryPointPayload) return Buffer.alloc(0);
  }
  return withLengthPrefix(recoveryPoint, nalLengthBytes);
}
