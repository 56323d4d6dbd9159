import { MediaFormatError } from './media-format-error.ts';

/** What a video tag's body holds. `data` and `record` are views of the body. */
export type VideoTag =
  /** An AVCDecoderConfigurationRecord. */
  | { kind: 'sequence-header'; record: Buffer }
  /** One H.264 access unit, NAL units with length prefixes. `compositionTimeMs` is pts minus dts. */
  | { kind: 'frame'; keyframe: boolean; compositionTimeMs: number; data: Buffer }
  | { kind: 'end-of-sequence' }
  /** A command frame of the server-side seek, or metadata: no picture. */
  | { kind: 'info' }
  /** `codec` is the name people know it by. */
  | { kind: 'unsupported'; codec: string };

const codecNames: Readonly<Record<number, string>> = {
  1: 'JPEG',
  2: 'Sorenson H.263',
  3: 'Screen video',
  4: 'VP6',
  5: 'VP6 with alpha',
  6: 'Screen video 2',
  12: 'HEVC',
  13: 'AV1',
};

const fourCcNames: Readonly<Record<string, string>> = {
  hvc1: 'HEVC',
  vvc1: 'VVC',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
};

/**
 * Parses the body of a video tag: VIDEODATA (Adobe Flash Video File Format 10.1, annex E.4.3) or the extended header of
 * Enhanced RTMP (ExVideoTagHeader) with the FourCC `avc1`.
 *
 * @throws {MediaFormatError} when the body is shorter than its own header.
 */
export function parseVideoTag(body: Buffer): VideoTag {
  if (body.length < 1) throw new MediaFormatError('Video tag is empty.');
  const first = body.readUInt8(0);
  if (first & 0x80) return parseExtendedVideoTag(body);
  const frameType = first >> 4;
  const codecId = first & 0x0f;
  if (codecId !== 7) return { kind: 'unsupported', codec: codecNames[codecId] ?? `video codec ${codecId}` };
  if (frameType === 5) return { kind: 'info' };
  if (body.length < 5) throw new MediaFormatError(`AVC video tag of ${body.length} bytes is shorter than its header.`);
  const packetType = body.readUInt8(1);
  if (packetType === 0) return { kind: 'sequence-header', record: body.subarray(5) };
  if (packetType === 1) {
    return { kind: 'frame', keyframe: frameType === 1, compositionTimeMs: body.readIntBE(2, 3), data: body.subarray(5) };
  }
  if (packetType === 2) return { kind: 'end-of-sequence' };
  throw new MediaFormatError(`AVC packet type ${packetType} is unknown.`);
}

function parseExtendedVideoTag(body: Buffer): VideoTag {
  if (body.length < 5) throw new MediaFormatError(`Extended video tag of ${body.length} bytes is shorter than its header.`);
  const frameType = (body.readUInt8(0) >> 4) & 0x07;
  const packetType = body.readUInt8(0) & 0x0f;
  const fourCc = body.toString('latin1', 1, 5);
  if (fourCc !== 'avc1') return { kind: 'unsupported', codec: fourCcNames[fourCc] ?? 'an unknown video codec' };
  if (frameType === 5 || packetType === 4) return { kind: 'info' };
  if (packetType === 0) return { kind: 'sequence-header', record: body.subarray(5) };
  const keyframe = frameType === 1;
  if (packetType === 1) {
    if (body.length < 8) throw new MediaFormatError('Extended video tag ends before its composition time.');
    return { kind: 'frame', keyframe, compositionTimeMs: body.readIntBE(5, 3), data: body.subarray(8) };
  }
  if (packetType === 2) return { kind: 'end-of-sequence' };
  // CodedFramesX: the composition time is 0 and left out.
  if (packetType === 3) return { kind: 'frame', keyframe, compositionTimeMs: 0, data: body.subarray(5) };
  throw new MediaFormatError(`Extended video packet type ${packetType} is unknown.`);
}
