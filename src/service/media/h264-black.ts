import { BitWriter } from './bit-writer.ts';
import type { H264Config } from './h264.ts';
import { formatNalUnit } from './h264-parameters.ts';
import { nalType, withLengthPrefix } from './nal-unit.ts';

/** `slice_type` I, for all slices of the picture. */
const intraSlices = 7;
/** `slice_qp_delta` as `se(v)`: 25 above the initial 26, so that one coefficient is enough to get from grey to black. */
const coarsestQuantizer = 2 * 25 - 1;

/**
 * Makes a black IDR picture for a track whose first frame has not arrived: an access unit coded with the parameters of
 * `addOwnParameters`. Undefined if that could add none, or the track's NAL unit lengths have too few bytes. A sequence with its own
 * scaling lists may make it grey.
 */
export function makeBlackPicture({ coding, ownParametersId, nalLengthBytes }: H264Config): Buffer | undefined {
  if (ownParametersId === undefined) return undefined;
  const { frameNumBits, framesOnly, orderType, orderBits, orderDeltaAbsent, macroblocks, adaptiveFields, chromaFormat } =
    coding;
  const writer = new BitWriter().unsignedExpGolomb(0).unsignedExpGolomb(intraSlices).unsignedExpGolomb(ownParametersId);
  // frame_num, a frame (not a field), idr_pic_id, and its picture order (ISO/IEC 14496-10 §7.3.3).
  writer.bits(0, frameNumBits);
  if (!framesOnly) writer.flag(false);
  writer.unsignedExpGolomb(0);
  if (orderType === 0) writer.bits(0, orderBits);
  if (orderType === 1 && !orderDeltaAbsent) writer.unsignedExpGolomb(0);
  // No special reference marking, no deblocking.
  writer.bits(0, 2).unsignedExpGolomb(coarsestQuantizer).unsignedExpGolomb(1);
  for (let index = 0; index < macroblocks; index += 1) {
    if (adaptiveFields && index % 2 === 0) writer.flag(false);
    // I_16x16 predicted by the mean of its neighbours, chroma too, with an unchanged quantizer (§7.3.5, table 7-11).
    writer.unsignedExpGolomb(3);
    if (chromaFormat === 1 || chromaFormat === 2) writer.unsignedExpGolomb(0);
    writer.unsignedExpGolomb(0);
    if (index > 0) writer.flag(true);
    else writeStepToBlack(writer);
    // In 4:4:4, Cb and Cr are coded like luma and stay at the middle, the prediction without neighbours.
    if (chromaFormat === 3) writer.flag(true).flag(true);
  }
  const slice = formatNalUnit(nalType.idrSlice, writer);
  return slice.length < 2 ** (8 * nalLengthBytes) ? withLengthPrefix(slice, nalLengthBytes) : undefined;
}

/**
 * Writes the luma coefficients of the first macroblock (§7.3.5.3.2, §9.2). Without neighbours its prediction is the middle, 128 in
 * 8 bits; a DC level of -8 times 14, the scale of quantizer 51, turns that into 16.
 */
function writeStepToBlack(writer: BitWriter): void {
  // coeff_token for one coefficient that is not a trailing one; level_prefix 13; total_zeros 0.
  writer.bits(0b000101, 6).bits(1, 14).bits(1, 1);
}
