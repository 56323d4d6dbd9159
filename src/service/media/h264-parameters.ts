import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import { findParameterSets, type H264Config } from './h264.ts';
import { ifWellFormed } from './media-format-error.ts';
import { nalType, withEmulationPrevention, withoutEmulationPrevention } from './nal-unit.ts';

/** `nal_ref_idc` of parameter sets and of pictures that others may refer to. */
const referenceFlags = 1 << 5;

/** The highest picture parameter set id (ISO/IEC 14496-10 §7.4.2.2). */
const maxParametersId = 255;

/**
 * Adds a picture parameter set to the configuration, after its own: the one for our pictures, with CAVLC whatever the publisher uses.
 * An `avc1` track may have parameter sets only here (ISO/IEC 14496-15 §5.4.2.1). Returns the configuration unchanged if the sequence
 * cannot have such pictures, because it has no reference frames, or if no id is free.
 */
export function addOwnParameters<Config extends H264Config>(config: Config): Config {
  const { record, coding } = config;
  if (coding.maxReferenceFrames === 0 || coding.separatePlanes) return config;
  const { picture, pictureCountAt, pictureEnd } = findParameterSets(record);
  const id = findFreeId(picture);
  if (id === undefined || id > maxParametersId) return config;
  const added = Buffer.concat([
    ...[record.subarray(0, pictureCountAt), Buffer.from([picture.length + 1])],
    ...[record.subarray(pictureCountAt + 1, pictureEnd), withLength(formatPictureParameters(id, coding.sequenceId))],
    record.subarray(pictureEnd),
  ]);
  return { ...config, record: added, ownParametersId: id };
}

/** The id is in the first 32 bits, including emulation prevention. */
const idBytes = 8;

/** The id after those of these picture parameter sets; undefined if one is malformed. */
function findFreeId(picture: readonly Buffer[]): number | undefined {
  const readId = (set: Buffer) =>
    new BitReader(withoutEmulationPrevention(set.subarray(1, 1 + idBytes)), 'H.264 PPS').unsignedExpGolomb();
  return ifWellFormed(() => Math.max(...picture.map(readId)) + 1, undefined);
}

/** A parameter set with its length, as in an AVCDecoderConfigurationRecord. */
function withLength(set: Buffer): Buffer {
  return Buffer.concat([Buffer.from([set.length >> 8, set.length & 0xff]), set]);
}

/** A picture parameter set (§7.3.2.2): CAVLC, one slice group, one reference, no weights, and deblocking set in each slice. */
function formatPictureParameters(id: number, sequenceId: number): Buffer {
  const writer = new BitWriter().unsignedExpGolomb(id).unsignedExpGolomb(sequenceId);
  writer.flag(false).flag(false);
  writer.unsignedExpGolomb(0).unsignedExpGolomb(0).unsignedExpGolomb(0);
  writer.flag(false).bits(0, 2);
  // Initial quantizers and the chroma offset: se(v) 0.
  writer.unsignedExpGolomb(0).unsignedExpGolomb(0).unsignedExpGolomb(0);
  writer.flag(true).flag(false).flag(false);
  return formatNalUnit(nalType.pictureParameters, writer);
}

/** A NAL unit that others may refer to, from the written bits and trailing bits: a one, then zeros up to a byte boundary. */
export function formatNalUnit(type: number, writer: BitWriter): Buffer {
  return Buffer.concat([Buffer.from([referenceFlags | type]), withEmulationPrevention(writer.flag(true).toBuffer())]);
}
