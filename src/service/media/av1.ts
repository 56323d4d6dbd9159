import { type Obu, obuType, readObus } from './av1-obu.ts';
import { type Av1Color, type Av1Sequence, parseAv1Sequence } from './av1-sequence.ts';
import { MediaFormatError } from './media-format-error.ts';
import type { PictureFacts, VideoConfig } from './track-config.ts';

/** What a decoder needs to know about an AV1 track. */
export interface Av1Config extends Omit<Av1Sequence, 'color'> {
  /** The AV1CodecConfigurationRecord itself, copied: the payload of an `av1C` box. */
  record: Buffer;
  /** Codec string, like `av01.0.04M.08`. */
  codec: string;
  /** The sequence header OBU. */
  sequenceHeader: Buffer;
  /** See {@link VideoConfig}. */
  transfer?: number;
}

const headBytes = 4;
/** A sample entry states width and height in 16 bits (ISO/IEC 14496-12 §12.1.3), one less than AV1 allows. */
const maxSide = 0xffff;

/**
 * Parses an AV1CodecConfigurationRecord (AV1-ISOBMFF §2.3) and its sequence header.
 *
 * @throws {MediaFormatError} when it is malformed, has no sequence header, or pictures that no sample entry can state.
 */
export function parseAv1Config(bytes: Buffer): Av1Config {
  if (bytes.length < headBytes) throw new MediaFormatError(`AV1 configuration of ${bytes.length} bytes is too short.`);
  if (bytes.readUInt8(0) !== 0x81) throw new MediaFormatError('The AV1 configuration version is unknown.');
  const record = Buffer.from(bytes);
  const header = readObus(record.subarray(headBytes)).find(({ type }) => type === obuType.sequenceHeader);
  if (header === undefined) throw new MediaFormatError('AV1 configuration has no sequence header.');
  const { color, ...sequence } = parseAv1Sequence(header.payload);
  const { width, height } = sequence;
  if (Math.max(width, height) > maxSide)
    throw new MediaFormatError(`AV1 configuration has a picture of ${width} by ${height}.`);
  const transfer = color.description?.[1];
  return {
    ...sequence,
    ...(transfer !== undefined && { transfer }),
    record,
    codec: formatCodecString(record, color),
    sequenceHeader: withSize(header),
  };
}

/** AV1-ISOBMFF §5: unspecified colours mean 4:2:0, BT.709, limited range. */
function formatCodecString(record: Buffer, { monochrome, subsampling, description, fullRange }: Av1Color): string {
  const [, levels = 0, depths = 0] = record;
  const bitDepth = depths & 0x40 ? (depths & 0x20 ? 12 : 10) : 8;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const short = `av01.${levels >> 5}.${twoDigits(levels & 0x1f)}${depths & 0x80 ? 'H' : 'M'}.${twoDigits(bitDepth)}`;
  const colors = (description ?? [1, 1, 1]).map(twoDigits);
  const long = [monochrome ? 1 : 0, subsampling.join(''), ...colors, fullRange ? 1 : 0].join('.');
  // The chroma position is not worth the long form, which old players do not know.
  const isUsual =
    !monochrome && subsampling[0] === 1 && subsampling[1] === 1 && !fullRange && colors.every((color) => color === '01');
  return isUsual ? short : `${short}.${long}`;
}

/** The OBU with a size field, so that others can follow it. Sequence headers have no extension. */
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
 * Inspects a temporal unit. It is independent if it starts with a keyframe that is shown at once (AV1-ISOBMFF §2.4). The sample gets
 * the sequence header in front if the encoder only put it in the configuration, and loses its temporal delimiter.
 *
 * @throws {MediaFormatError} when it is incomplete or has no frame
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

/** Parses the start of `uncompressed_header` (AV1 §5.9.2): whether it is a new frame of type KEY_FRAME with `show_frame`. */
function isShownKeyframe(payload: Buffer): boolean {
  const first = payload[0] ?? 0xff;
  const [isShownAgain, frameType, isShown] = [first >> 7, (first >> 5) & 3, (first >> 4) & 1];
  return isShownAgain === 0 && frameType === 0 && isShown === 1;
}
