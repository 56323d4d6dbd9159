/**
 * Legacy video codec ids (Flash Video File Format 10.1, E.4.3.1; 1 and 8 to 13 are unofficial but in use). We accept HEVC and AV1
 * only with Enhanced RTMP headers.
 */
const videoCodecs: Readonly<Record<number, string>> = {
  1: 'JPEG',
  2: 'Sorenson H.263',
  3: 'Screen video',
  4: 'VP6',
  5: 'VP6 with alpha',
  6: 'Screen video 2',
  7: 'H.264',
  8: 'H.263',
  9: 'MPEG-4 Part 2',
  12: 'Legacy HEVC',
  13: 'Legacy AV1',
};

/** Sound formats (Flash Video File Format 10.1, E.4.2.1). */
const soundFormats: Readonly<Record<number, string>> = {
  0: 'PCM',
  1: 'ADPCM',
  2: 'MP3',
  3: 'PCM',
  4: 'Nellymoser',
  5: 'Nellymoser',
  6: 'Nellymoser',
  7: 'G.711 A-law',
  8: 'G.711 mu-law',
  10: 'AAC',
  11: 'Speex',
  14: 'MP3',
};

/** VideoFourCc and AudioFourCc of Enhanced RTMP v2. */
const fourCcs: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  hvc1: 'HEVC',
  vvc1: 'VVC',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  mp4a: 'AAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  Opus: 'Opus',
  fLaC: 'FLAC',
  '.mp3': 'MP3',
};

/** The common name of a video codec, from its legacy codec id, 0 to 15. */
export function nameVideoCodec(codecId: number): string {
  return videoCodecs[codecId] ?? `Codec ${codecId}`;
}

/** The common name of an audio codec, from its sound format, 0 to 15. */
export function nameSoundFormat(soundFormat: number): string {
  return soundFormats[soundFormat] ?? `Format ${soundFormat}`;
}

/** The common name of a codec, from its FourCC. An unknown FourCC is not repeated: it can be any bytes. */
export function nameFourCc(fourCc: string): string {
  return fourCcs[fourCc] ?? 'Unknown Enhanced RTMP';
}
