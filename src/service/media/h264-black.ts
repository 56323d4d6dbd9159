import { BitWriter } from './bit-writer.ts';
import type { H264Config } from './h264.ts';
import { formatNalUnit } from './h264-parameters.ts';
import { nalType, withLengthPrefix } from './nal-unit.ts';

/** `slice_type` I, of all slices of the picture. */
const intraSlices = 7;
/** `slice_qp_delta` as `se(v)`: 25 above the initial 26, so that one coefficient reaches from grey to black. */
const coarsestQuantizer = 2 * 25 - 1;

/**
 * A black IDR picture of a track whose first picture has not come: an access unit, coded with the parameters of `addOwnParameters`.
 * Undefined where it could add none; a sequence with scaling lists of its own may make it grey.
 */
export function makeBlackPicture({ coding, ownParametersId, nalLengthBytes }: H264Config): Buffer | undefined {
  if (ownParametersId === undefined) return undefined;
  const { frameNumBits, framesOnly, orderType, orderBits, orderDeltaAbsent, macroblocks, adaptiveFields, chromaFormat } =
    coding;
  const writer = new BitWriter().unsignedExpGolomb(0).unsignedExpGolomb(intraSlices).unsignedExpGolomb(ownParametersId);
  // frame_num, a frame and no field, idr_pic_id, and its place in the order (ISO/IEC 14496-10 §7.3.3).
  writer.bits(0, frameNumBits);
  if (!framesOnly) writer.flag(false);
  writer.unsignedExpGolomb(0);
  if (orderType === 0) writer.bits(0, orderBits);
  if (orderType === 1 && !orderDeltaAbsent) writer.unsignedExpGolomb(0);
  // No special marking of references, no deblocking.
  writer.bits(0, 2).unsignedExpGolomb(coarsestQuantizer).unsignedExpGolomb(1);
  for (let index = 0; index < macroblocks; index += 1) {
    if (adaptiveFields && index % 2 === 0) writer.flag(false);
    // I_16x16 predicted by the mean of its neighbours, chroma too, with the quantizer as it is (§7.3.5, table 7-11).
    writer.unsignedExpGolomb(3);
    if (chromaFormat === 1 || chromaFormat === 2) writer.unsignedExpGolomb(0);
    writer.unsignedExpGolomb(0);
    if (index > 0) writer.flag(true);
    else writeStepToBlack(writer);
    // Of 4:4:4 Cb and Cr are coded as luma is, and stay at their middle, the prediction without neighbours.
    if (chromaFormat === 3) writer.flag(true).flag(true);
  }
  return withLengthPrefix(formatNalUnit(nalType.idrSlice, writer), nalLengthBytes);
}

/**
 * The luma coefficients of the first macroblock (§7.3.5.3.2, §9.2): without neighbours it is predicted as the middle, 128 of 8 bits,
 * and a DC level of -8 times 14, the scale of quantizer 51, makes 16 of it.
 */
function writeStepToBlack(writer: BitWriter): void {
  // coeff_token of one coefficient that is no trailing one; level_prefix 13; total_zeros 0.
  writer.bits(0b000101, 6).bits(1, 14).bits(1, 1);
}
