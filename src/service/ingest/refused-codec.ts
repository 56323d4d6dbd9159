import type { FlvTag } from '../media/flv-tag.ts';

/** Legacy video codec ids (Flash Video File Format 10.1, E.4.3.1; 12 and 13 as common encoders use them). 7 is H.264. */
const videoCodecs: Record<number, string> = {
  2: 'Sorenson H.263',
  3: 'Screen video',
  4: 'VP6',
  5: 'VP6',
  6: 'Screen video 2',
  8: 'H.263',
  9: 'MPEG-4 Part 2',
  12: 'HEVC',
  13: 'AV1',
};

/** Sound formats (Flash Video File Format 10.1, E.4.2.1). 10 is AAC. */
const soundFormats: Record<number, string> = {
  0: 'PCM',
  1: 'ADPCM',
  2: 'MP3',
  3: 'PCM',
  4: 'Nellymoser',
  5: 'Nellymoser',
  6: 'Nellymoser',
  7: 'G.711 A-law',
  8: 'G.711 mu-law',
  11: 'Speex',
  14: 'MP3',
};

/** Codecs by the FourCC of Enhanced RTMP v2, ExVideoTagHeader and ExAudioTagHeader. */
const fourCcs: Record<string, string> = {
  hvc1: 'HEVC',
  av01: 'AV1',
  vp09: 'VP9',
  vp08: 'VP8',
  vvc1: 'VVC',
  avc1: 'Enhanced RTMP H.264',
  Opus: 'Opus',
  fLaC: 'FLAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  '.mp3': 'MP3',
  mp4a: 'Enhanced RTMP AAC',
};

const h264CodecId = 7;
const aacSoundFormat = 10;
/** `SoundFormat` 9: the FourCC tells (Enhanced RTMP v2). */
const extendedSoundFormat = 9;

/**
 * What to tell a publisher whose audio or video tag is not H.264 or AAC: the codec's name, and what to choose instead.
 * Undefined when the tag can be carried. Script tags and empty ones always can.
 */
export function findRefusedCodec({ kind, body }: FlvTag): string | undefined {
  const first = body[0];
  if (first === undefined || kind === 'script') return undefined;
  if (kind === 'video') {
    const isExtended = (first & 0x80) !== 0;
    const codecId = first & 0x0f;
    if (!isExtended && codecId === h264CodecId) return undefined;
    const name = isExtended ? nameFourCc(body) : (videoCodecs[codecId] ?? `Codec ${codecId}`);
    return `${name} video is not carried; choose H.264 in the encoder's settings.`;
  }
  const soundFormat = first >> 4;
  if (soundFormat === aacSoundFormat) return undefined;
  const name = soundFormat === extendedSoundFormat ? nameFourCc(body) : (soundFormats[soundFormat] ?? `Format ${soundFormat}`);
  return `${name} audio is not carried; choose AAC in the encoder's settings.`;
}

/** The FourCC follows the first byte, in packets of one track. */
function nameFourCc(body: Buffer): string {
  return fourCcs[body.toString('latin1', 1, 5)] ?? 'Enhanced RTMP';
}
