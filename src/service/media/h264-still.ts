import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import type { H264Config } from './h264.ts';
import { formatNalUnit } from './h264-parameters.ts';
import type { PictureCoding } from './h264-sps.ts';
import { ifWellFormed } from './media-format-error.ts';
import { nalType, nalUnits, withLengthPrefix, withoutEmulationPrevention } from './nal-unit.ts';
import type { StillPicture } from './track-config.ts';

/** Longest relevant part of a first slice's header. */
const maxSliceHeaderBytes = 32;
/** `slice_type` P, for all slices of the picture. */
const predictedSlices = 5;

/**
 * Makes a still from an IDR access unit: the picture itself, and repetitions of a few bytes. All their macroblocks are skipped, which
 * shows the previous picture unchanged (P_Skip, ISO/IEC 14496-10 §7.3.4 and §8.4.1.1).
 *
 * They are coded with the parameters of `addOwnParameters`; if that could add none, each repetition is the IDR picture. Undefined if
 * the access unit is not an IDR picture or is malformed.
 */
export function makeStill(accessUnit: Buffer, config: H264Config): StillPicture | undefined {
  const { coding, nalLengthBytes, ownParametersId } = config;
  const slices = nalUnits(accessUnit, nalLengthBytes)
    .filter(({ type }) => type === nalType.idrSlice)
    .map(({ bytes }) => bytes)
    .toArray();
  const first = slices[0];
  if (first === undefined) return undefined;
  const idr = Buffer.concat(slices.map((slice) => withLengthPrefix(slice, nalLengthBytes)));
  if (ownParametersId === undefined) return { picture: idr, repeat: () => idr };
  const order = ifWellFormed(() => readOrder(first, coding), undefined);
  if (order === undefined) return undefined;
  return {
    picture: idr,
    repeat: (index) => withLengthPrefix(formatSkippedPicture(index, order, ownParametersId, coding), nalLengthBytes),
  };
}

/** `pic_order_cnt_lsb` in the slice header of an IDR picture (ISO/IEC 14496-10 §7.3.3); 0 if it has none. */
function readOrder(slice: Buffer, { frameNumBits, framesOnly, orderType, orderBits }: PictureCoding): number {
  const reader = new BitReader(withoutEmulationPrevention(slice.subarray(1, maxSliceHeaderBytes)), 'H.264 slice');
  reader.unsignedExpGolomb();
  reader.unsignedExpGolomb();
  reader.unsignedExpGolomb();
  reader.skip(frameNumBits);
  if (!framesOnly && reader.flag()) reader.skip(1);
  reader.unsignedExpGolomb();
  return orderType === 0 ? reader.bits(orderBits) : 0;
}

/** Formats a frame with one slice whose macroblocks are all skipped, the `index`th after an IDR picture. */
function formatSkippedPicture(index: number, idrOrder: number, parametersId: number, coding: PictureCoding): Buffer {
  const { frameNumBits, framesOnly, orderType, orderBits, orderDeltaAbsent, macroblocks } = coding;
  const writer = new BitWriter();
  writer.unsignedExpGolomb(0).unsignedExpGolomb(predictedSlices).unsignedExpGolomb(parametersId);
  writer.bits(index, frameNumBits);
  if (!framesOnly) writer.flag(false);
  // A frame is two fields and counts twice.
  if (orderType === 0) writer.bits(idrOrder + 2 * index, orderBits);
  if (orderType === 1 && !orderDeltaAbsent) writer.unsignedExpGolomb(0);
  // Default references, also for later pictures; unchanged quantizer; no deblocking.
  writer.flag(false).flag(false).flag(false);
  writer.unsignedExpGolomb(0).unsignedExpGolomb(1);
  return formatNalUnit(nalType.slice, writer.unsignedExpGolomb(macroblocks));
}
