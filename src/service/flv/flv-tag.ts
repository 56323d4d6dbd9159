/**
 * One FLV tag without its header (Adobe Flash Video File Format 10.1, annex E.4.1). RTMP and ffmpeg's pipes carry these; `UnitReader`
 * turns them into units.
 *
 * `timestampMs` is the unsigned 32-bit decode time in milliseconds. `body` is the tag's data: audio and video begin with the codec
 * byte, script data with the AMF0 name. RTMP messages of types 8, 9 and 18 carry the same bodies.
 */
export interface FlvTag {
  kind: 'audio' | 'video' | 'script';
  timestampMs: number;
  body: Buffer;
}

/** The size of a tag's header. */
export const tagHeaderBytes = 11;

/** Reads the header of the tag that begins at `at` (annex E.4.1): its type and the size of its body, as they are, and its timestamp. */
export function readTagHeader(bytes: Buffer, at: number): { type: number; bodyBytes: number; timestampMs: number } {
  return {
    type: bytes.readUInt8(at),
    bodyBytes: bytes.readUIntBE(at + 1, 3),
    // The fourth timestamp byte holds bits 24 to 31.
    timestampMs: bytes.readUIntBE(at + 4, 3) + bytes.readUInt8(at + 7) * 2 ** 24,
  };
}
