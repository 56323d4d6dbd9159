import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { RtmpPublisher, TagRole } from '../../src/service/rtmp/rtmp-publisher.ts';

const extendedSoundFormat = 9;
/** Packet types that announce something: of H.264 and AAC in Flash Video, and in Enhanced RTMP (SequenceStart). */
const sequenceStart = 0;
/** Enhanced RTMP: colour information, or the layout of channels. */
const furtherConfig = 4;

/** The role of a tag of any codec, readable or not, by its first bytes. */
export function findTagRole({ kind, body }: FlvTag): TagRole {
  const [first = 0, second] = body;
  if (kind === 'script') return 'config';
  const isExtended = kind === 'video' ? (first & 0x80) !== 0 : first >> 4 === extendedSoundFormat;
  const packetType = isExtended ? first & 0x0f : second;
  if (packetType === sequenceStart || (isExtended && packetType === furtherConfig)) return 'config';
  if (kind === 'audio') return 'audio';
  return ((first >> 4) & 0x07) === 1 ? 'keyframe' : 'frame';
}

/** Sends a tag by its role. */
export function sendTag(publisher: RtmpPublisher, tag: FlvTag): void {
  publisher.send(tag, findTagRole(tag));
}
