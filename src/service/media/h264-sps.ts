import { BitReader } from './bit-reader.ts';
import { isCredibleFps } from './credible-fps.ts';
import { ifWellFormed, MediaFormatError } from './media-format-error.ts';
import { withoutEmulationPrevention } from './nal-unit.ts';
import { noUsability, readUsabilityStart, type UsabilityStart } from './video-usability.ts';

/** The parts of an H.264 sequence parameter set that playback needs. */
export interface SequenceParameters extends UsabilityStart {
  /** Samples after cropping. */
  width: number;
  height: number;
  /** Frames per second, only if the stream promises a fixed rate. */
  fps?: number;
  /** Nominal frames per second of the stream's clock, even if not every frame comes. */
  nominalFps?: number;
  coding: PictureCoding;
}

/** Parameters that the slice header depends on (ISO/IEC 14496-10 §7.3.3). */
export interface PictureCoding {
  sequenceId: number;
  /** Bits of `frame_num`. */
  frameNumBits: number;
  /** `pic_order_cnt_type`, and for type 0 the bits of `pic_order_cnt_lsb`. */
  orderType: 0 | 1 | 2;
  orderBits: number;
  /** For order type 1: `delta_pic_order_always_zero_flag`. */
  orderDeltaAbsent: boolean;
  maxReferenceFrames: number;
  /** `separate_colour_plane_flag`: a picture is coded as three. */
  separatePlanes: boolean;
  /** `chroma_format_idc`: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  chromaFormat: number;
  /** `frame_mbs_only_flag`: there are no fields. */
  framesOnly: boolean;
  /** `mb_adaptive_frame_field_flag`: macroblocks of a frame come in pairs, which may be fields. */
  adaptiveFields: boolean;
  /** Macroblocks in a frame. */
  macroblocks: number;
}

/** `MaxFS` of level 6.2, the highest (ISO/IEC 14496-10 table A-1): the most macroblocks, 16 by 16 samples, in a picture. */
const maxMacroblocks = 139_264;
/** No side may be longer than the square root of eight times that number (§A.3.1). */
const maxSideMacroblocks = Math.floor(Math.sqrt(8 * maxMacroblocks));

const chromaProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/**
 * Parses a sequence parameter set NAL unit including its header byte (ISO/IEC 14496-10 §7.3.2.1.1 and annex E).
 *
 * @throws {MediaFormatError} when it is malformed or describes a picture that no decoder accepts
 */
export function parseSps(nal: Buffer): SequenceParameters {
  if (nal.length < 4 || (nal.readUInt8(0) & 0x1f) !== 7) throw new MediaFormatError('The NAL unit is not an H.264 SPS.');
  const reader = new BitReader(withoutEmulationPrevention(nal.subarray(1)), 'H.264 SPS');
  const profile = reader.bits(8);
  reader.skip(16);
  const sequenceId = reader.unsignedExpGolomb();
  const { chroma, separatePlanes } = chromaProfiles.has(profile) ? readChroma(reader) : { chroma: 1, separatePlanes: false };
  const frameNumBits = readBitCount(reader);
  const order = readPictureOrderCount(reader);
  const maxReferenceFrames = reader.unsignedExpGolomb();
  reader.skip(1);
  const widthInMacroblocks = reader.unsignedExpGolomb() + 1;
  const heightInMapUnits = reader.unsignedExpGolomb() + 1;
  const fieldsPerFrame = reader.flag() ? 1 : 2;
  const adaptiveFields = fieldsPerFrame === 2 && reader.flag();
  reader.skip(1);
  const crop = reader.flag() ? readCrop(reader) : { left: 0, right: 0, top: 0, bottom: 0 };
  const cropUnitX = chroma === 0 || chroma === 3 ? 1 : 2;
  const cropUnitY = (chroma === 1 ? 2 : 1) * fieldsPerFrame;
  const width = widthInMacroblocks * 16 - (crop.left + crop.right) * cropUnitX;
  const height = heightInMapUnits * 16 * fieldsPerFrame - (crop.top + crop.bottom) * cropUnitY;
  const heightInMacroblocks = heightInMapUnits * fieldsPerFrame;
  const macroblocks = widthInMacroblocks * heightInMacroblocks;
  // Before cropping, since decoders and our own pictures use the coded size.
  const isTooLarge = macroblocks > maxMacroblocks || Math.max(widthInMacroblocks, heightInMacroblocks) > maxSideMacroblocks;
  if (isTooLarge) {
    throw new MediaFormatError(
      `H.264 SPS has a picture of ${widthInMacroblocks} by ${heightInMacroblocks} macroblocks, more than any level allows.`,
    );
  }
  if (width <= 0 || height <= 0) {
    throw new MediaFormatError(`H.264 SPS has a picture of ${width} by ${height} samples.`);
  }
  const coding: PictureCoding = {
    sequenceId,
    frameNumBits,
    ...order,
    maxReferenceFrames,
    separatePlanes,
    chromaFormat: chroma,
    framesOnly: fieldsPerFrame === 1,
    adaptiveFields,
    macroblocks,
  };
  // No decoder depends on the usability information; if it is broken it counts as absent.
  const usability = ifWellFormed(() => readUsability(reader), noUsability);
  return { width, height, coding, ...usability };
}

/** Reads `log2_max_frame_num_minus4` and similar fields: at most 16 bits (ISO/IEC 14496-10 §7.4.2.1.1). */
function readBitCount(reader: BitReader): number {
  const bits = reader.unsignedExpGolomb() + 4;
  if (bits > 16) throw new MediaFormatError(`H.264 SPS counts pictures with ${bits} bits.`);
  return bits;
}

function readChroma(reader: BitReader): { chroma: number; separatePlanes: boolean } {
  const chroma = reader.unsignedExpGolomb();
  if (chroma > 3) throw new MediaFormatError(`H.264 SPS has the chroma format ${chroma}.`);
  const separatePlanes = chroma === 3 && reader.flag();
  reader.unsignedExpGolomb();
  reader.unsignedExpGolomb();
  reader.skip(1);
  if (reader.flag()) {
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1) {
      if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64);
    }
  }
  return { chroma, separatePlanes };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  for (let index = 0; index < size; index += 1) {
    const next = (last + reader.signedExpGolomb() + 256) % 256;
    // A zero ends the list; the rest repeats the last value.
    if (next === 0) return;
    last = next;
  }
}

function readPictureOrderCount(reader: BitReader): Pick<PictureCoding, 'orderType' | 'orderBits' | 'orderDeltaAbsent'> {
  const orderType = reader.unsignedExpGolomb();
  if (orderType === 0) return { orderType, orderBits: readBitCount(reader), orderDeltaAbsent: false };
  if (orderType === 2) return { orderType, orderBits: 0, orderDeltaAbsent: false };
  if (orderType !== 1) throw new MediaFormatError(`H.264 SPS has the picture order type ${orderType}.`);
  const orderDeltaAbsent = reader.flag();
  reader.signedExpGolomb();
  reader.signedExpGolomb();
  const cycle = reader.unsignedExpGolomb();
  if (cycle > 255) throw new MediaFormatError(`H.264 SPS has a picture order cycle of ${cycle}.`);
  for (let index = 0; index < cycle; index += 1) reader.signedExpGolomb();
  return { orderType, orderBits: 0, orderDeltaAbsent };
}

function readCrop(reader: BitReader): { left: number; right: number; top: number; bottom: number } {
  const left = reader.unsignedExpGolomb();
  const right = reader.unsignedExpGolomb();
  const top = reader.unsignedExpGolomb();
  const bottom = reader.unsignedExpGolomb();
  return { left, right, top, bottom };
}

/** Reads the video usability information up to the frame rate (annex E.1.1). */
function readUsability(reader: BitReader): UsabilityStart & Pick<SequenceParameters, 'fps' | 'nominalFps'> {
  if (!reader.flag()) return noUsability;
  const start = readUsabilityStart(reader);
  if (!reader.flag()) return start;
  const unitsInTick = reader.bits(32);
  const timescale = reader.bits(32);
  const fixed = reader.flag();
  // A tick is a field; two make a frame.
  const fps = timescale / (2 * unitsInTick);
  if (!isCredibleFps(fps)) return start;
  return { ...start, nominalFps: fps, ...(fixed && { fps }) };
}
