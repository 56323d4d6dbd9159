import { aacFormat } from '../media/aac-format.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import type { AudioConfig, AudioFormat } from '../media/track-config.ts';
import { nameFourCc, nameSoundFormat } from './codec-names.ts';
import { TagHeaderError } from './tag-header-error.ts';

/** What an audio tag's body holds. `data` and `record` are views of the body. */
export type AudioTag =
  /** A decoder configuration record. */
  | { kind: 'sequence-header'; format: AudioFormat; record: Buffer }
  /** One frame. */
  | { kind: 'frame'; format: AudioFormat; data: Buffer }
  | { kind: 'end-of-sequence' }
  /** It has no sound: how channels are laid out. */
  | { kind: 'nothing' }
  /** `what` is the name people know the codec by, or the feature of Enhanced RTMP. */
  | { kind: 'unsupported'; what: string };

/** The FourCCs of Enhanced RTMP v2 that are carried. */
export const audioFormats: Readonly<Record<string, AudioFormat>> = { mp4a: aacFormat };

const aacSoundFormat = 10;
/** `SoundFormat` 9 (ExHeader): the FourCC tells. */
const extendedSoundFormat = 9;
/** Enhanced RTMP's header: one byte, and the FourCC. */
const extendedHeaderBytes = 5;
/** What `capsEx` has to announce, and ours does not. */
const featuresNotCarried: Readonly<Record<number, string>> = { 5: 'Multitrack', 7: 'ModEx' };

/**
 * Parses the body of an audio tag: AUDIODATA (Adobe Flash Video File Format 10.1, annex E.4.2), or under the headers of Enhanced
 * RTMP v2 (ExAudioTagHeader).
 *
 * @throws {TagHeaderError} when the body is shorter than its own header, or of an unknown extended type
 * @throws {MediaFormatError} when the packet type is unknown
 */
export function parseAudioTag(body: Buffer): AudioTag {
  const first = body[0];
  if (first === undefined) throw new TagHeaderError('A message of audio is empty.');
  const soundFormat = first >> 4;
  if (soundFormat === extendedSoundFormat) return parseExtended(body, first & 0x0f);
  if (soundFormat !== aacSoundFormat) return { kind: 'unsupported', what: nameSoundFormat(soundFormat) };
  if (body.length < 2) throw new TagHeaderError('A message of audio is too short.');
  const packetType = body.readUInt8(1);
  if (packetType === 0) return { kind: 'sequence-header', format: aacFormat, record: body.subarray(2) };
  if (packetType === 1) return { kind: 'frame', format: aacFormat, data: body.subarray(2) };
  throw new MediaFormatError(`AAC packet type ${packetType} is unknown.`);
}

/** AudioPacketType of Enhanced RTMP v2. */
function parseExtended(body: Buffer, packetType: number): AudioTag {
  const feature = featuresNotCarried[packetType];
  if (feature !== undefined) return { kind: 'unsupported', what: feature };
  if (body.length < extendedHeaderBytes) throw new TagHeaderError('A message of audio is too short.');
  const fourCc = body.toString('latin1', 1, extendedHeaderBytes);
  const format = audioFormats[fourCc];
  if (format === undefined) return { kind: 'unsupported', what: nameFourCc(fourCc) };
  const payload = body.subarray(extendedHeaderBytes);
  switch (packetType) {
    case 0: // SequenceStart
      return { kind: 'sequence-header', format, record: payload };
    case 1: // CodedFrames
      return { kind: 'frame', format, data: payload };
    case 2: // SequenceEnd
      return { kind: 'end-of-sequence' };
    case 4: // MultichannelConfig: the configuration has the channels.
      return { kind: 'nothing' };
    default:
      throw new TagHeaderError(`Extended audio packet type ${packetType} is unknown.`);
  }
}

/** The body of an audio tag with one raw AAC frame, under the header of Flash Video. */
export function formatAudioFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xaf, 1]), data]);
}

/** The body of an audio tag with an AudioSpecificConfig, under the header of Flash Video. */
export function formatAudioHeader({ record }: Pick<AudioConfig, 'record'>): Buffer {
  return Buffer.concat([Buffer.from([0xaf, 0]), record]);
}
