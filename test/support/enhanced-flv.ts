import type { FlvTag } from '../../src/service/flv/flv-tag.ts';

/**
 * The body of an H.264 or AAC tag under Enhanced RTMP v2 headers (ExVideoTagHeader, ExAudioTagHeader); frames with a
 * composition time of 0 become CodedFramesX. Other tags are unchanged.
 */
export function enhanceBody({ kind, body }: Pick<FlvTag, 'kind' | 'body'>): Buffer {
  if (kind === 'script') return body;
  const packetType = body.readUInt8(1);
  if (kind === 'audio') return Buffer.concat([Buffer.from([0x90 | packetType]), Buffer.from('mp4a'), body.subarray(2)]);
  const isPlainFrame = packetType === 1 && body.readIntBE(2, 3) === 0;
  const first = 0x80 | (body.readUInt8(0) & 0x70) | (isPlainFrame ? 3 : packetType);
  // A sequence header has no composition time.
  const rest = body.subarray(packetType === 0 || isPlainFrame ? 5 : 2);
  return Buffer.concat([Buffer.from([first]), Buffer.from('avc1'), rest]);
}
