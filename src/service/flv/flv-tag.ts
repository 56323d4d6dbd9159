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
