import { type Obu, obuType, readObus } from './av1-obu.ts';
import { type Av1Color, type Av1Sequence, parseAv1Sequence } from './av1-sequence.ts';
import { MediaFormatError } from './media-format-error.ts';
import type { PictureFacts } from './track-config.ts';

/** What a decoder needs to know of an AV1 track. */
export interface Av1Config extends Omit<Av1Sequence, 'color'> {
  /** The AV1CodecConfigurationRecord itself, copied: the payload of an `av1C` box. */
  record: Buffer;
  /** Codec string, like `av01.0.04M.08`. */
  codec: string;
  /** The sequence header OBU. */
  sequenceHeader: Buffer;
}

const headBytes = 4;

/**
 * Parses an AV1CodecConfigurationRecord (AV1-ISOBMFF §2.3) and its sequence header.
 *
 * @throws {MediaFormatError} when it is malformed or has no sequence header.
 */
export function parseAv1Config(bytes: Buffer): Av1Config {
  if (bytes.length < headBytes) throw new MediaFormatError(`AV1 configuration of ${bytes.length} bytes is too short.`);
  if (bytes.readUInt8(0) !== 0x81) throw new MediaFormatError('AV1 configuration is of an unknown version.');
  const record = Buffer.from(bytes);
  const header = readObus(record.subarray(headBytes)).find(({ type }) => type === obuType.sequenceHeader);
  if (header === undefined) throw new MediaFormatError('AV1 configuration has no sequence header.');
  const { color, ...sequence } = parseAv1Sequence(header.payload);
  return { ...sequence, record, codec: formatCodecString(record, color), sequenceHeader: withSize(header) };
}

/** AV1-ISOBMFF §5: what says nothing of colours is 4:2:0 of BT.709 in the limited range. */
function formatCodecString(record: Buffer, { monochrome, subsampling, description, fullRange }: Av1Color): string {
  const [, levels = 0, depths = 0] = record;
  const bitDepth = depths & 0x40 ? (depths & 0x20 ? 12 : 10) : 8;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const short = `av01.${levels >> 5}.${twoDigits(levels & 0x1f)}${depths & 0x80 ? 'H' : 'M'}.${twoDigits(bitDepth)}`;
  const colors = (description ?? [1, 1, 1]).map(twoDigits);
  const long = [monochrome ? 1 : 0, subsampling.join(''), ...colors, fullRange ? 1 : 0].join('.');
  // Where chroma lies is not worth the long form, which old players do not know.
  const isUsual =
    !monochrome && subsampling[0] === 1 && subsampling[1] === 1 && !fullRange && colors.every((color) => color === '01');
  return isUsual ? short : `${short}.${long}`;
}

/** An OBU that has its size, so that others can follow it; without extension, as that of a sequence has none. */
function withSize({ bytes, payload }: Obu): Buffer {
  if (bytes.readUInt8(0) & 2) return Buffer.from(bytes);
  const size: number[] = [];
  for (let left = payload.length; ; left = Math.floor(left / 128)) {
    size.push(left < 128 ? left : (left % 128) | 0x80);
    if (left < 128) break;
  }
  return Buffer.concat([Buffer.of((obuType.sequenceHeader << 3) | 2, ...size), payload]);
}

/**
 * Looks into a temporal unit. Nothing from before is needed for what follows a keyframe that is shown at once (AV1-ISOBMFF §2.4): the
 * sequence header goes before it where its encoder leaves that to the configuration. Samples have no temporal delimiter.
 *
 * @throws {MediaFormatError} when it is not whole or has no frame
 */
export function inspectTemporalUnit(data: Buffer, config: Pick<Av1Config, 'sequenceHeader' | 'isStill'>): PictureFacts {
  const obus = readObus(data);
  const frame = obus.find(({ type }) => type === obuType.frame || type === obuType.frameHeader);
  if (frame === undefined) throw new MediaFormatError('An AV1 temporal unit has no frame.');
  const independent = config.isStill || isShownKeyframe(frame.payload);
  const kept = obus.filter(({ type }) => type !== obuType.temporalDelimiter);
  const lacksHeader = independent && !kept.some(({ type }) => type === obuType.sequenceHeader);
  if (kept.length === obus.length && !lacksHeader) return { independent };
  const units = kept.map(({ bytes }) => bytes);
  return { independent, sample: Buffer.concat(lacksHeader ? [config.sequenceHeader, ...units] : units) };
}

/** The beginning of `uncompressed_header` (AV1 §5.9.2): a new frame, of type KEY_FRAME, with `show_frame`. */
function isShownKeyframe(payload: Buffer): boolean {
  const first = payload[0] ?? 0xff;
  const [isShownAgain, frameType, isShown] = [first >> 7, (first >> 5) & 3, (first >> 4) & 1];
  return isShownAgain === 0 && frameType === 0 && isShown === 1;
}
