import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import { findParameterSets, type H264Config, parseH264Config } from './h264.ts';
import { chromaProfiles } from './h264-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import { nalType, withEmulationPrevention, withoutEmulationPrevention } from './nal-unit.ts';

/** `nal_ref_idc`: parameters, and pictures that others may refer to. */
const referenceFlags = 1 << 5;
const extendedSampleAspect = 255;
/** Those whose AVCDecoderConfigurationRecord tells the chroma format too (ISO/IEC 14496-15 §5.3.3.1.2). */
const highProfiles = new Set([100, 110, 122, 144]);

/** Picture parameter sets have numbers up to this one (ISO/IEC 14496-10 §7.4.2.2). */
const maxParametersId = 255;

/**
 * The configuration with one more picture parameter set, behind its own: that of pictures which repeat the one before, with CAVLC
 * whatever the publisher uses. In a track of `avc1` parameter sets stand here and nowhere else (ISO/IEC 14496-15 §5.4.2.1). It is
 * the same configuration where a sequence can have no such pictures, for want of reference frames, and where no number is free.
 */
export function addRepeatParameters(config: H264Config): H264Config {
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
  return { ...config, record: added, repeatParametersId: id };
}

/** The number after those of these picture parameter sets; undefined where one of them is malformed. */
function findFreeId(picture: readonly Buffer[]): number | undefined {
  try {
    const ids = picture.map((set) =>
      new BitReader(withoutEmulationPrevention(set.subarray(1)), 'H.264 PPS').unsignedExpGolomb(),
    );
    return Math.max(...ids) + 1;
  } catch (error) {
    if (!(error instanceof MediaFormatError)) throw error;
    return undefined;
  }
}

/** A parameter set as it stands in an AVCDecoderConfigurationRecord. */
function withLength(set: Buffer): Buffer {
  return Buffer.concat([Buffer.from([set.length >> 8, set.length & 0xff]), set]);
}

/** A picture parameter set (§7.3.2.2): CAVLC, one slice group, one reference, no weights, and deblocking said in each slice. */
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

/**
 * The configuration of pictures that are to take the place of those of another one: of its profile, level and shape, progressive,
 * 4:2:0 in 8 bits, each shown as it is decoded, with at most one reference.
 */
export function makeMatchingConfig({ record: shape, width, height, sampleAspect }: H264Config): H264Config {
  const [profile = 0, flags = 0, level = 0] = shape.subarray(1, 4);
  const sequence = formatSequenceParameters({ profile, flags, level, width, height, sampleAspect });
  const picture = formatPictureParameters(0, 0);
  const record = Buffer.concat([
    ...[Buffer.from([1, profile, flags, level, 0xff]), Buffer.from([0xe1]), withLength(sequence)],
    ...[Buffer.from([1]), withLength(picture)],
    Buffer.from(highProfiles.has(profile) ? [0xfd, 0xf8, 0xf8, 0] : []),
  ]);
  return addRepeatParameters(parseH264Config(record));
}

interface Sequence extends Pick<H264Config, 'width' | 'height' | 'sampleAspect'> {
  profile: number;
  /** `constraint_set_flags` */
  flags: number;
  level: number;
}

/** A sequence parameter set (ISO/IEC 14496-10 §7.3.2.1.1). */
function formatSequenceParameters({ profile, flags, level, width, height, sampleAspect }: Sequence): Buffer {
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const writer = new BitWriter().bits(profile, 8).bits(flags, 8).bits(level, 8).unsignedExpGolomb(0);
  // 4:2:0, 8 bits each, nothing special, no scaling lists.
  if (chromaProfiles.has(profile)) writer.unsignedExpGolomb(1).unsignedExpGolomb(0).unsignedExpGolomb(0).bits(0, 2);
  // frame_num of 4 bits, pictures in the order of decoding, one reference frame.
  writer.unsignedExpGolomb(0).unsignedExpGolomb(2).unsignedExpGolomb(1).flag(false);
  writer.unsignedExpGolomb(columns - 1).unsignedExpGolomb(rows - 1);
  writer.flag(true).flag(true);
  // What is beyond the right and lower edge, in pixels of chroma.
  const [right, bottom] = [Math.floor((columns * 16 - width) / 2), Math.floor((rows * 16 - height) / 2)];
  writer.flag(right + bottom > 0);
  if (right + bottom > 0) writer.unsignedExpGolomb(0).unsignedExpGolomb(right).unsignedExpGolomb(0).unsignedExpGolomb(bottom);
  // Usability information: the shape of the samples, and nothing else.
  writer.flag(true).flag(true).bits(extendedSampleAspect, 8);
  writer.bits(sampleAspect.horizontal, 16).bits(sampleAspect.vertical, 16).bits(0, 8);
  return formatNalUnit(nalType.sequenceParameters, writer);
}

/** A NAL unit that others may refer to, of what was written and its trailing bits: a one, and zeros up to a whole byte. */
export function formatNalUnit(type: number, writer: BitWriter): Buffer {
  return Buffer.concat([Buffer.from([referenceFlags | type]), withEmulationPrevention(writer.flag(true).toBuffer())]);
}
