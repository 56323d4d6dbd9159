import { MediaFormatError } from './media-format-error.ts';

/** What an audio tag's body holds. `data` and `config` are views of the body. */
export type AudioTag =
  /** An AudioSpecificConfig. */
  | { kind: 'sequence-header'; config: Buffer }
  /** One raw AAC frame. */
  | { kind: 'frame'; data: Buffer }
  | { kind: 'end-of-sequence' }
  /** `codec` is the name people know it by. */
  | { kind: 'unsupported'; codec: string };

const codecNames: Readonly<Record<number, string>> = {
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

const fourCcNames: Readonly<Record<string, string>> = {
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  Opus: 'Opus',
  fLaC: 'FLAC',
  '.mp3': 'MP3',
};

/**
 * Parses the body of an audio tag: AUDIODATA (Adobe Flash Video File Format 10.1, annex E.4.2) or the extended header of
 * Enhanced RTMP (ExAudioTagHeader) with the FourCC `mp4a`.
 *
 * @throws {MediaFormatError} when the body is shorter than its own header.
 */
export function parseAudioTag(body: Buffer): AudioTag {
  if (body.length < 1) throw new MediaFormatError('Audio tag is empty.');
  const format = body.readUInt8(0) >> 4;
  if (format === 9) return parseExtendedAudioTag(body);
  if (format !== 10) return { kind: 'unsupported', codec: codecNames[format] ?? `audio codec ${format}` };
  if (body.length < 2) throw new MediaFormatError('AAC audio tag ends before its packet type.');
  const packetType = body.readUInt8(1);
  if (packetType === 0) return { kind: 'sequence-header', config: body.subarray(2) };
  if (packetType === 1) return { kind: 'frame', data: body.subarray(2) };
  throw new MediaFormatError(`AAC packet type ${packetType} is unknown.`);
}

function parseExtendedAudioTag(body: Buffer): AudioTag {
  if (body.length < 5) throw new MediaFormatError(`Extended audio tag of ${body.length} bytes is shorter than its header.`);
  const packetType = body.readUInt8(0) & 0x0f;
  const fourCc = body.toString('latin1', 1, 5);
  if (fourCc !== 'mp4a') return { kind: 'unsupported', codec: fourCcNames[fourCc] ?? 'an unknown audio codec' };
  if (packetType === 0) return { kind: 'sequence-header', config: body.subarray(5) };
  if (packetType === 1) return { kind: 'frame', data: body.subarray(5) };
  if (packetType === 2) return { kind: 'end-of-sequence' };
  throw new MediaFormatError(`Extended audio packet type ${packetType} is unknown.`);
}
