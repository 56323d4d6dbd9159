import type { FlvTag } from './flv-tag.ts';

/** What a tag is to a decoder: `config` is needed before everything after it, and `keyframe` and `frame` are video. */
export type TagRole = 'config' | 'keyframe' | 'frame' | 'audio';

const avcCodecId = 7;
const aacSoundFormat = 10;
const extendedSoundFormat = 9;
/** Packet types that announce something: of H.264 and AAC in Flash Video, and in Enhanced RTMP (SequenceStart). */
const sequenceStart = 0;
/** Enhanced RTMP: colour information, or the layout of channels. */
const furtherConfig = 4;

/**
 * The role of a tag, by its first bytes only (Adobe Flash Video File Format 10.1, annex E.4.2 and E.4.3; Enhanced RTMP v2,
 * ExVideoTagHeader and ExAudioTagHeader), so that it is known of tags of any codec.
 */
export function findTagRole({ kind, body }: FlvTag): TagRole {
  const [first = 0, second] = body;
  switch (kind) {
    case 'script':
      return 'config';
    case 'audio': {
      const soundFormat = first >> 4;
      if (soundFormat === extendedSoundFormat) return isConfig(first & 0x0f) ? 'config' : 'audio';
      return soundFormat === aacSoundFormat && second === sequenceStart ? 'config' : 'audio';
    }
    case 'video': {
      const isExtended = (first & 0x80) !== 0;
      const codecId = first & 0x0f;
      if (isExtended ? isConfig(first & 0x0f) : codecId === avcCodecId && second === sequenceStart) return 'config';
      return ((first >> 4) & 0x07) === 1 ? 'keyframe' : 'frame';
    }
  }
}

function isConfig(packetType: number): boolean {
  return packetType === sequenceStart || packetType === furtherConfig;
}
