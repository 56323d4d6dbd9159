import { BitWriter } from './bit-writer.ts';
import type { H264Config } from './h264.ts';
import { formatNalUnit, makeMatchingConfig } from './h264-parameters.ts';
import { nalType, withLengthPrefix } from './nal-unit.ts';

/** `slice_type` I, of all slices of the picture. */
const intraSlices = 7;
/** `slice_qp_delta` as `se(v)`: 25 above the initial 26, so that one coefficient reaches from grey to black. */
const coarsestQuantizer = 2 * 25 - 1;

/**
 * A black picture in the shape of those of `config`, for a track whose first picture has not come: an IDR access unit, and what
 * it is decoded with.
 */
export function makeBlackPicture(config: H264Config): { config: H264Config; accessUnit: Buffer } {
  const black = makeMatchingConfig(config);
  const { frameNumBits, macroblocks } = black.coding;
  const writer = new BitWriter().unsignedExpGolomb(0).unsignedExpGolomb(intraSlices).unsignedExpGolomb(0);
  // frame_num, idr_pic_id, and no special marking of references (ISO/IEC 14496-10 §7.3.3).
  writer.bits(0, frameNumBits).unsignedExpGolomb(0).bits(0, 2);
  writer.unsignedExpGolomb(coarsestQuantizer).unsignedExpGolomb(1);
  for (let index = 0; index < macroblocks; index += 1) {
    // I_16x16 predicted by the mean of its neighbours, chroma too, with the quantizer as it is (§7.3.5, table 7-11).
    writer.unsignedExpGolomb(3).unsignedExpGolomb(0).unsignedExpGolomb(0);
    if (index > 0) writer.flag(true);
    else writeStepToBlack(writer);
  }
  return { config: black, accessUnit: withLengthPrefix(formatNalUnit(nalType.idrSlice, writer), black.nalLengthBytes) };
}

/**
 * The luma coefficients of the first macroblock (§7.3.5.3.2, §9.2): without neighbours it is predicted as 128, and a DC level of
 * -8 times 14, the scale of quantizer 51, makes 16 of it.
 */
function writeStepToBlack(writer: BitWriter): void {
  // coeff_token of one coefficient that is no trailing one; level_prefix 13; total_zeros 0.
  writer.bits(0b000101, 6).bits(1, 14).bits(1, 1);
}
