import { enhancedFeatures } from '../../shared/model/refusal.ts';
import { findVideoFormat } from '../media/carried-formats.ts';
import { h264Format } from '../media/h264-format.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import type { VideoConfig, VideoFormat } from '../media/track-config.ts';
import { nameFourCc, nameVideoCodec } from './codec-names.ts';
import { TagHeaderError } from './tag-header-error.ts';

/** The content of a video tag's body. `data` and `record` are views of the body. */
export type VideoTag =
  /** A decoder configuration record. */
  | { kind: 'sequence-header'; format: VideoFormat; record: Buffer }
  /** One access unit. `compositionTimeMs` is pts minus dts. */
  | { kind: 'frame'; format: VideoFormat; keyframe: boolean; compositionTimeMs: number; data: Buffer }
  | { kind: 'end-of-sequence' }
  /** No video data: a server-side seek command, or metadata. */
  | { kind: 'nothing' }
  /** `what` is the codec's common name, or the Enhanced RTMP feature. */
  | { kind: 'unsupported'; what: string };

/** H.264 is the only supported codec with a `CodecID` in Flash Video. */
const h264CodecId = 7;

const commandFrame = 5;
/** Size of the Flash Video header of an H.264 tag. */
const headerBytes = 5;
/** Size of the Enhanced RTMP header: one byte and the FourCC. */
const extendedHeaderBytes = 5;
/** Packet types that a peer may use only after `capsEx` announced them, which ours does not. */
const featuresNotCarried: Readonly<Record<number, string>> = { 6: enhancedFeatures.multitrack, 7: enhancedFeatures.modEx };

/**
 * Parses the body of a video tag: VIDEODATA (Adobe Flash Video File Format 10.1, annex E.4.3), or Enhanced RTMP v2
 * (ExVideoTagHeader).
 *
 * @throws {TagHeaderError} when the body is shorter than its own header, or has an unknown extended type
 * @throws {MediaFormatError} when the packet type is unknown
 */
export function parseVideoTag(body: Buffer): VideoTag {
  const first = body[0];
  if (first === undefined) throw new TagHeaderError('A video message is empty.');
  const frameType = (first >> 4) & 0x07;
  if (first & 0x80) return parseExtended(body, frameType, first & 0x0f);
  // A command takes the place of the media, so its codec id has no meaning.
  if (frameType === commandFrame) return { kind: 'nothing' };
  const codecId = first & 0x0f;
  if (codecId !== h264CodecId) return { kind: 'unsupported', what: nameVideoCodec(codecId) };
  if (body.length < headerBytes) throw new TagHeaderError('A video message is too short.');
  const packetType = body.readUInt8(1);
  const data = body.subarray(headerBytes);
  if (packetType === 0) return { kind: 'sequence-header', format: h264Format, record: data };
  if (packetType === 1) {
    return { kind: 'frame', format: h264Format, keyframe: frameType === 1, compositionTimeMs: body.readIntBE(2, 3), data };
  }
  if (packetType === 2) return { kind: 'end-of-sequence' };
  throw new MediaFormatError(`AVC packet type ${packetType} is unknown.`);
}

/** `packetType` is the VideoPacketType of Enhanced RTMP v2. */
function parseExtended(body: Buffer, frameType: number, packetType: number): VideoTag {
  // Metadata has a frame type without meaning; a command has no FourCC.
  const isMetadata = packetType === 4;
  if (frameType === commandFrame && !isMetadata) return { kind: 'nothing' };
  const feature = featuresNotCarried[packetType];
  if (feature !== undefined) return { kind: 'unsupported', what: feature };
  if (body.length < extendedHeaderBytes) throw new TagHeaderError('A video message is too short.');
  const fourCc = body.toString('latin1', 1, extendedHeaderBytes);
  const format = findVideoFormat(fourCc);
  if (format === undefined) return { kind: 'unsupported', what: nameFourCc(fourCc) };
  const payload = body.subarray(extendedHeaderBytes);
  const keyframe = frameType === 1;
  switch (packetType) {
    case 0: // SequenceStart
      return { kind: 'sequence-header', format, record: payload };
    case 1: // CodedFrames, with a 24-bit composition time before the data if the codec reorders
      if (!format.reorders) return { kind: 'frame', format, keyframe, compositionTimeMs: 0, data: payload };
      if (payload.length < 3) throw new TagHeaderError('A video message is too short.');
      return { kind: 'frame', format, keyframe, compositionTimeMs: payload.readIntBE(0, 3), data: payload.subarray(3) };
    case 2: // SequenceEnd
      return { kind: 'end-of-sequence' };
    case 4: // Metadata
      return { kind: 'nothing' };
    case 3: // CodedFramesX: the composition time is 0 and omitted.
      return { kind: 'frame', format, keyframe, compositionTimeMs: 0, data: payload };
    default:
      throw new TagHeaderError(`Extended video packet type ${packetType} is unknown.`);
  }
}

/** Formats the body of a video tag with one access unit. */
export function formatVideoFrame({
  format,
  keyframe,
  compositionTimeMs,
  data,
}: Omit<Extract<VideoTag, { kind: 'frame' }>, 'kind'>): Buffer {
  const compositionTime = Buffer.alloc(3);
  compositionTime.writeIntBE(compositionTimeMs, 0, 3);
  const header = formatHeader(format, keyframe ? 1 : 2, 1);
  return Buffer.concat(format.reorders ? [header, compositionTime, data] : [header, data]);
}

/** Formats the body of a video tag with a decoder configuration record. */
export function formatVideoHeader({ format, record }: Pick<VideoConfig, 'format' | 'record'>): Buffer {
  const header = formatHeader(format, 1, 0);
  // Flash Video has a composition time here too.
  return Buffer.concat(format === h264Format ? [header, Buffer.alloc(3), record] : [header, record]);
}

/** The bytes before the composition time: the Flash Video header if that format knows the codec, else the Enhanced RTMP header. */
function formatHeader(format: VideoFormat, frameType: 1 | 2, packetType: 0 | 1): Buffer {
  if (format === h264Format) return Buffer.of((frameType << 4) | h264CodecId, packetType);
  return Buffer.concat([Buffer.of(0x80 | (frameType << 4) | packetType), Buffer.from(format.fourCc, 'latin1')]);
}
