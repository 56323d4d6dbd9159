import { nameVideoCodec } from './codec-names.ts';
import type { H264Config } from './h264.ts';
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

/**
 * Parses the body of a video tag: VIDEODATA (Adobe Flash Video File Format 10.1, annex E.4.3). The ingest has given
 * those of Enhanced RTMP this form.
 *
 * @throws {MediaFormatError} when the body is shorter than its own header.
 */
export function parseVideoTag(body: Buffer): VideoTag {
  if (body.length < 1) throw new MediaFormatError('Video tag is empty.');
  const first = body.readUInt8(0);
  const frameType = first >> 4;
  const codecId = first & 0x0f;
  if (codecId !== 7) return { kind: 'unsupported', codec: nameVideoCodec(codecId) };
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

/** The body of a video tag with one H.264 access unit: VIDEODATA, as {@link parseVideoTag} reads it. */
export function formatVideoFrame({
  keyframe,
  compositionTimeMs,
  data,
}: Pick<Extract<VideoTag, { kind: 'frame' }>, 'keyframe' | 'compositionTimeMs' | 'data'>): Buffer {
  const header = Buffer.from([keyframe ? 0x17 : 0x27, 1, 0, 0, 0]);
  header.writeIntBE(compositionTimeMs, 2, 3);
  return Buffer.concat([header, data]);
}

/** The body of a video tag with an AVCDecoderConfigurationRecord. */
export function formatVideoHeader({ record }: H264Config): Buffer {
  return Buffer.concat([Buffer.from([0x17, 0, 0, 0, 0]), record]);
}
