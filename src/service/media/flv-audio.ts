import type { AacConfig } from './aac.ts';
import { nameSoundFormat } from './codec-names.ts';
import { MediaFormatError } from './media-format-error.ts';

/** What an audio tag's body holds. `data` and `config` are views of the body. */
export type AudioTag =
  /** An AudioSpecificConfig. */
  | { kind: 'sequence-header'; config: Buffer }
  /** One raw AAC frame. */
  | { kind: 'frame'; data: Buffer }
  /** `codec` is the name people know it by. */
  | { kind: 'unsupported'; codec: string };

/**
 * Parses the body of an audio tag: AUDIODATA (Adobe Flash Video File Format 10.1, annex E.4.2). The ingest has given
 * those of Enhanced RTMP this form.
 *
 * @throws {MediaFormatError} when the body is shorter than its own header.
 */
export function parseAudioTag(body: Buffer): AudioTag {
  if (body.length < 1) throw new MediaFormatError('Audio tag is empty.');
  const format = body.readUInt8(0) >> 4;
  if (format !== 10) return { kind: 'unsupported', codec: nameSoundFormat(format) };
  if (body.length < 2) throw new MediaFormatError('AAC audio tag ends before its packet type.');
  const packetType = body.readUInt8(1);
  if (packetType === 0) return { kind: 'sequence-header', config: body.subarray(2) };
  if (packetType === 1) return { kind: 'frame', data: body.subarray(2) };
  throw new MediaFormatError(`AAC packet type ${packetType} is unknown.`);
}

/** The body of an audio tag with one raw AAC frame: AUDIODATA, as {@link parseAudioTag} reads it. */
export function formatAudioFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xaf, 1]), data]);
}

/** The body of an audio tag with an AudioSpecificConfig. */
export function formatAudioHeader({ config }: AacConfig): Buffer {
  return Buffer.concat([Buffer.from([0xaf, 0]), config]);
}
