import { BitWriter } from './bit-writer.ts';
import { type H264Config, parseH264Config } from './h264.ts';
import { chromaProfiles } from './h264-sps.ts';
import { nalType, withEmulationPrevention } from './nal-unit.ts';

/** `nal_ref_idc`: parameters, and pictures that others may refer to. */
const referenceFlags = 1 << 5;
const extendedSampleAspect = 255;
/** Those whose AVCDecoderConfigurationRecord tells the chroma format too (ISO/IEC 14496-15 §5.3.3.1.2). */
const highProfiles = new Set([100, 110, 122, 144]);

/** A picture parameter set (§7.3.2.2): CAVLC, one slice group, one reference, no weights, and deblocking said in each slice. */
export function formatPictureParameters(id: number, sequenceId: number): Buffer {
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
export function makeMatchingConfig({ record, width, height, sampleAspect }: H264Config): H264Config {
  const [profile = 0, flags = 0, level = 0] = record.subarray(1, 4);
  const sequence = formatSequenceParameters({ profile, flags, level, width, height, sampleAspect });
  const picture = formatPictureParameters(0, 0);
  const withLength = (set: Buffer) => Buffer.concat([Buffer.from([set.length >> 8, set.length & 0xff]), set]);
  return parseH264Config(
    Buffer.concat([
      ...[Buffer.from([1, profile, flags, level, 0xff]), Buffer.from([0xe1]), withLength(sequence)],
      ...[Buffer.from([1]), withLength(picture)],
      Buffer.from(highProfiles.has(profile) ? [0xfd, 0xf8, 0xf8, 0] : []),
    ]),
  );
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
