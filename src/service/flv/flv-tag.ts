/**
 * One FLV tag without its header: the currency between RTMP, ffmpeg and the packager
 * (Adobe Flash Video File Format 10.1, annex E.4.1).
 *
 * `timestampMs` is the tag's unsigned 32-bit decode time in milliseconds. `body` is the tag's data: for audio and video it
 * opens with the codec byte, for script data with the AMF0 name. RTMP messages of types 8, 9 and 18 carry the same bodies.
 */
export interface FlvTag {
  kind: 'audio' | 'video' | 'script';
  timestampMs: number;
  body: Buffer;
}
