import { enhancedFeatures } from '../../shared/model/refusal.ts';
import { aacFormat } from '../media/aac-format.ts';
import { findAudioFormat } from '../media/carried-formats.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import type { AudioUnit } from '../media/media-unit.ts';
import type { AudioConfig, AudioFormat } from '../media/track-config.ts';
import { nameFourCc, nameSoundFormat } from './codec-names.ts';
import { TagHeaderError } from './tag-header-error.ts';

/** The content of an audio tag's body. `data` and `record` are views of the body. */
export type AudioTag =
  /** A decoder configuration record. */
  | { kind: 'sequence-header'; format: AudioFormat; record: Buffer }
  /** One frame. */
  | { kind: 'frame'; format: AudioFormat; data: Buffer }
  | { kind: 'end-of-sequence' }
  /** No audio data: the channel layout, for example. */
  | { kind: 'nothing' }
  /** `what` is the codec's common name, or the Enhanced RTMP feature. */
  | { kind: 'unsupported'; what: string };

const aacSoundFormat = 10;
/** `SoundFormat` 9 (ExHeader): the codec is named by a FourCC. */
const extendedSoundFormat = 9;
/** Size of the Enhanced RTMP header: one byte and the FourCC. */
const extendedHeaderBytes = 5;
/** Packet types that a peer may use only after `capsEx` announced them, which ours does not. */
const featuresNotCarried: Readonly<Record<number, string>> = { 5: enhancedFeatures.multitrack, 7: enhancedFeatures.modEx };

/**
 * Parses the body of an audio tag: AUDIODATA (Adobe Flash Video File Format 10.1, annex E.4.2), or Enhanced RTMP v2
 * (ExAudioTagHeader).
 *
 * @throws {TagHeaderError} when the body is shorter than its own header, or has an unknown extended type
 * @throws {MediaFormatError} when the packet type is unknown
 */
export function parseAudioTag(body: Buffer): AudioTag {
  const first = body[0];
  if (first === undefined) throw new TagHeaderError('An audio message is empty.');
  const soundFormat = first >> 4;
  if (soundFormat === extendedSoundFormat) return parseExtended(body, first & 0x0f);
  if (soundFormat !== aacSoundFormat) return { kind: 'unsupported', what: nameSoundFormat(soundFormat) };
  if (body.length < 2) throw new TagHeaderError('An audio message is too short.');
  const packetType = body.readUInt8(1);
  if (packetType === 0) return { kind: 'sequence-header', format: aacFormat, record: body.subarray(2) };
  if (packetType === 1) return { kind: 'frame', format: aacFormat, data: body.subarray(2) };
  throw new MediaFormatError(`AAC packet type ${packetType} is unknown.`);
}

/** `packetType` is the AudioPacketType of Enhanced RTMP v2. */
function parseExtended(body: Buffer, packetType: number): AudioTag {
  const feature = featuresNotCarried[packetType];
  if (feature !== undefined) return { kind: 'unsupported', what: feature };
  if (body.length < extendedHeaderBytes) throw new TagHeaderError('An audio message is too short.');
  const fourCc = body.toString('latin1', 1, extendedHeaderBytes);
  const format = findAudioFormat(fourCc);
  if (format === undefined) return { kind: 'unsupported', what: nameFourCc(fourCc) };
  const payload = body.subarray(extendedHeaderBytes);
  switch (packetType) {
    case 0: // SequenceStart
      return { kind: 'sequence-header', format, record: payload };
    case 1: // CodedFrames
      return { kind: 'frame', format, data: payload };
    case 2: // SequenceEnd
      return { kind: 'end-of-sequence' };
    case 4: // MultichannelConfig: the decoder configuration already gives the channels.
      return { kind: 'nothing' };
    default:
      throw new TagHeaderError(`Extended audio packet type ${packetType} is unknown.`);
  }
}

/** Formats the body of an audio tag with one frame. */
export function formatAudioFrame({ config, data }: Pick<AudioUnit, 'config' | 'data'>): Buffer {
  return Buffer.concat([formatHeader(config.format, 1), data]);
}

/** Formats the body of an audio tag with a decoder configuration record. */
export function formatAudioHeader({ format, record }: Pick<AudioConfig, 'format' | 'record'>): Buffer {
  return Buffer.concat([formatHeader(format, 0), record]);
}

/** The Flash Video header if that format knows the codec, else the Enhanced RTMP header. Packet types 0 and 1 mean the same in both. */
function formatHeader(format: AudioFormat, packetType: 0 | 1): Buffer {
  // Always 44 kHz, 16 bits, stereo for AAC (annex E.4.2.1).
  if (format === aacFormat) return Buffer.of((aacSoundFormat << 4) | 0x0f, packetType);
  return Buffer.concat([Buffer.of((extendedSoundFormat << 4) | packetType), Buffer.from(format.fourCc, 'latin1')]);
}
