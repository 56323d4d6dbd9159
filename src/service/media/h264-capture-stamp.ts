import type { CaptureStamp } from './capture-stamp.ts';
import {
  isSlice,
  type NalLengthBytes,
  nalType,
  nalUnits,
  withEmulationPrevention,
  withLengthPrefix,
  withoutEmulationPrevention,
} from './nal-unit.ts';

/** The `uuid_iso_iec_11578` of our message; messages with another one are not ours. */
const uuid = Buffer.from('48be5db142c14991987e89575055fc54', 'hex');
const userDataUnregistered = 5;
const payloadBytes = uuid.length + 16;
/** `rbsp_trailing_bits` of a byte-aligned message. */
const trailingBits = 0x80;
/** How many bytes of each of the first NAL units to search: x264's own message before ours takes about 700 bytes. */
const maxSoughtBytes = 4_096;
const maxSoughtUnits = 16;

/**
 * Formats a NAL unit, without length prefix, with the capture time of the frame after it: supplemental enhancement information with
 * one user_data_unregistered message (ISO/IEC 14496-10 §7.3.2.3, §D.1.7) of 32 bytes. It holds our UUID, then the capture time and
 * the time it left the encoder, each an unsigned 64-bit big-endian number of Unix milliseconds.
 */
export function formatCaptureStamp({ capturedAtMs, encodedAtMs }: CaptureStamp): Buffer {
  const message = Buffer.alloc(2 + payloadBytes + 1);
  message.writeUInt8(userDataUnregistered, 0);
  message.writeUInt8(payloadBytes, 1);
  uuid.copy(message, 2);
  message.writeBigUInt64BE(BigInt(Math.round(capturedAtMs)), 2 + uuid.length);
  message.writeBigUInt64BE(BigInt(Math.round(encodedAtMs)), 2 + uuid.length + 8);
  message.writeUInt8(trailingBits, 2 + payloadBytes);
  return Buffer.concat([Buffer.from([nalType.supplementalInformation]), withEmulationPrevention(message)]);
}

/** Inserts the stamp into an H.264 access unit before its first slice, where such messages belong (ISO/IEC 14496-10 §7.4.1.2.3). */
export function insertCaptureStamp(accessUnit: Buffer, lengthBytes: NalLengthBytes, stamp: CaptureStamp): Buffer {
  let position = accessUnit.length;
  for (const unit of nalUnits(accessUnit, lengthBytes)) {
    if (!isSlice(unit)) continue;
    position = unit.position;
    break;
  }
  const stampUnit = withLengthPrefix(formatCaptureStamp(stamp), lengthBytes);
  return Buffer.concat([accessUnit.subarray(0, position), stampUnit, accessUnit.subarray(position)]);
}

/** Finds the stamp in an H.264 access unit; undefined if there is none or it makes no sense. */
export function findCaptureStamp(accessUnit: Buffer, lengthBytes: NalLengthBytes): CaptureStamp | undefined {
  for (const unit of nalUnits(accessUnit, lengthBytes).take(maxSoughtUnits)) {
    if (isSlice(unit)) return undefined;
    if (unit.type !== nalType.supplementalInformation) continue;
    const payload = findOurPayload(withoutEmulationPrevention(unit.bytes.subarray(1, maxSoughtBytes)));
    if (payload === undefined) continue;
    const stamp = {
      capturedAtMs: Number(payload.readBigUInt64BE(uuid.length)),
      encodedAtMs: Number(payload.readBigUInt64BE(uuid.length + 8)),
    };
    return Number.isSafeInteger(stamp.capturedAtMs) && Number.isSafeInteger(stamp.encodedAtMs) ? stamp : undefined;
  }
  return undefined;
}

/** Walks the `sei_message`s of one NAL unit. Type and size are each encoded as some bytes 255 and one more byte (§7.3.2.3.1). */
function findOurPayload(messages: Buffer): Buffer | undefined {
  let position = 0;
  const readNumber = () => {
    let value = 0;
    while (messages[position] === 255) {
      value += 255;
      position += 1;
    }
    value += messages[position] ?? 0;
    position += 1;
    return value;
  };
  while (position + 2 <= messages.length) {
    const type = readNumber();
    const sizeBytes = readNumber();
    const payload = messages.subarray(position, position + sizeBytes);
    position += sizeBytes;
    const isOurs = type === userDataUnregistered && payload.length === payloadBytes && payload.indexOf(uuid) === 0;
    if (isOurs) return payload;
  }
  return undefined;
}
