const idrSlice = 5;
const supplementalInformation = 6;
const recoveryPointPayload = 6;

/** A NAL unit with a recovery point message: exact from this picture on (ISO/IEC 14496-10 §D.1.8). */
const recoveryPoint = Buffer.from([supplementalInformation, recoveryPointPayload, 1, 0xc4, 0x80]);

/**
 * What must stand before a keyframe's NAL units so that a decoder takes it for one too; empty where it does anyway.
 *
 * Some encoders send keyframes that are neither IDR pictures nor marked as points of recovery: FLV alone says that they are.
 */
export function recoveryPrefix(data: Buffer, nalLengthBytes: 1 | 2 | 4): Buffer {
  for (let position = 0; position + nalLengthBytes < data.length; ) {
    const start = position + nalLengthBytes;
    const type = data.readUInt8(start) & 0x1f;
    if (type === idrSlice) return Buffer.alloc(0);
    if (type === supplementalInformation && data[start + 1] === recoveryPointPayload) return Buffer.alloc(0);
    position = start + data.readUIntBE(position, nalLengthBytes);
  }
  const prefix = Buffer.alloc(nalLengthBytes + recoveryPoint.length);
  prefix.writeUIntBE(recoveryPoint.length, 0, nalLengthBytes);
  recoveryPoint.copy(prefix, nalLengthBytes);
  return prefix;
}
