import { nameFourCc, nameSoundFormat, nameVideoCodec } from '../media/codec-names.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { RtmpProtocolError } from '../rtmp/protocol-error.ts';

/** What a publisher's audio or video tag is to the service. */
export type AdmittedTag =
  /** H.264 or AAC under the headers of Flash Video, whichever headers it came under. */
  | { kind: 'plain'; tag: FlvTag }
  /** It has neither picture nor sound: a command, metadata, an end. */
  | { kind: 'nothing' }
  /** The sentence names the codec, or the feature of Enhanced RTMP, that is not carried, and what to choose instead. */
  | { kind: 'refused'; sentence: string };

const h264CodecId = 7;
const aacSoundFormat = 10;
/** `SoundFormat` 9 (ExHeader): the FourCC tells. */
const extendedSoundFormat = 9;
const commandFrame = 5;
/** The one byte, and the FourCC. */
const extendedHeaderBytes = 5;

/** Features of Enhanced RTMP that `capsEx` has to announce, and ours does not. */
const featuresNotCarried: Readonly<Record<FlvTag['kind'], Readonly<Record<number, string>>>> = {
  video: { 6: 'Multitrack', 7: 'ModEx' },
  audio: { 5: 'Multitrack', 7: 'ModEx' },
  script: {},
};

/**
 * Takes H.264 and AAC, which Enhanced RTMP v2 carries under the FourCCs `avc1` and `mp4a` too (ExVideoTagHeader,
 * ExAudioTagHeader), and gives both the headers of the Flash Video File Format 10.1 (E.4.2, E.4.3): whatever stands behind the
 * ingest, ffmpeg included, knows no others. The media itself is the same bytes. Script tags and empty ones are `plain`.
 *
 * @throws {RtmpProtocolError} when the body is shorter than its own header, or its packet type is unknown.
 */
export function admitTag(tag: FlvTag): AdmittedTag {
  const first = tag.body[0];
  if (first === undefined || tag.kind === 'script') return { kind: 'plain', tag };
  if (tag.kind === 'audio') {
    const soundFormat = first >> 4;
    if (soundFormat === extendedSoundFormat) return admitExtendedAudio(tag, first & 0x0f);
    return soundFormat === aacSoundFormat ? plainIfWhole(tag, 2) : refuse(tag, nameSoundFormat(soundFormat));
  }
  const frameType = (first >> 4) & 0x07;
  if (first & 0x80) return admitExtendedVideo(tag, frameType, first & 0x0f);
  const codecId = first & 0x0f;
  if (codecId !== h264CodecId) return refuse(tag, nameVideoCodec(codecId));
  return frameType === commandFrame ? { kind: 'nothing' } : plainIfWhole(tag, 5);
}

/** VideoPacketType of Enhanced RTMP v2. */
function admitExtendedVideo(tag: FlvTag, frameType: number, packetType: number): AdmittedTag {
  // The frame type of metadata means nothing; a command has no FourCC.
  const isMetadata = packetType === 4;
  if (frameType === commandFrame && !isMetadata) return { kind: 'nothing' };
  const { refused, payload } = readFourCc(tag, packetType, 'avc1');
  if (refused !== undefined) return refuse(tag, refused);
  const head = (frameType << 4) | h264CodecId;
  switch (packetType) {
    case 0: // SequenceStart: an AVCDecoderConfigurationRecord.
      return plain(tag, [head, 0, 0, 0, 0], payload);
    case 1: // CodedFrames: the composition time, 24 bits as in Flash Video, stands before the NAL units.
      if (payload.length < 3) throw new RtmpProtocolError('A message of video is too short.');
      return plain(tag, [head, 1], payload);
    case 2: // SequenceEnd
    case 4: // Metadata
      return { kind: 'nothing' };
    case 3: // CodedFramesX: the composition time is 0, and left out.
      return plain(tag, [head, 1, 0, 0, 0], payload);
    default:
      throw new RtmpProtocolError(`Extended video packet type ${packetType} is unknown.`);
  }
}

/** AudioPacketType of Enhanced RTMP v2. */
function admitExtendedAudio(tag: FlvTag, packetType: number): AdmittedTag {
  const { refused, payload } = readFourCc(tag, packetType, 'mp4a');
  if (refused !== undefined) return refuse(tag, refused);
  // Rate, size and channels say nothing of AAC (E.4.2.1): they are what all encoders write.
  const head = (aacSoundFormat << 4) | 0x0f;
  switch (packetType) {
    case 0: // SequenceStart: an AudioSpecificConfig.
      return plain(tag, [head, 0], payload);
    case 1: // CodedFrames
      return plain(tag, [head, 1], payload);
    case 2: // SequenceEnd
    case 4: // MultichannelConfig: the AudioSpecificConfig has the channels.
      return { kind: 'nothing' };
    default:
      throw new RtmpProtocolError(`Extended audio packet type ${packetType} is unknown.`);
  }
}

/** What follows the FourCC, or what of the tag is not carried. */
function readFourCc({ kind, body }: FlvTag, packetType: number, carried: string): { refused?: string; payload: Buffer } {
  const payload = body.subarray(extendedHeaderBytes);
  const feature = featuresNotCarried[kind][packetType];
  if (feature !== undefined) return { refused: feature, payload };
  if (body.length < extendedHeaderBytes) throw new RtmpProtocolError(`A message of ${kind} is too short.`);
  const fourCc = body.toString('latin1', 1, extendedHeaderBytes);
  return fourCc === carried ? { payload } : { refused: nameFourCc(fourCc), payload };
}

/** @param headerBytes of its codec's header. */
function plainIfWhole(tag: FlvTag, headerBytes: number): AdmittedTag {
  if (tag.body.length < headerBytes) throw new RtmpProtocolError(`A message of ${tag.kind} is too short.`);
  return { kind: 'plain', tag };
}

function refuse({ kind }: FlvTag, what: string): AdmittedTag {
  const instead = kind === 'video' ? 'H.264' : 'AAC';
  return { kind: 'refused', sentence: `${what} ${kind} is not carried; choose ${instead} in the encoder's settings.` };
}

function plain(tag: FlvTag, header: number[], payload: Buffer): AdmittedTag {
  return { kind: 'plain', tag: { ...tag, body: Buffer.concat([Buffer.from(header), payload]) } };
}
