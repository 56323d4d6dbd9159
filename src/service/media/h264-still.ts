import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import type { H264Config } from './h264.ts';
import { formatNalUnit, formatPictureParameters } from './h264-parameters.ts';
import type { PictureCoding } from './h264-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import { nalType, nalUnits, withLengthPrefix, withoutEmulationPrevention } from './nal-unit.ts';

/** A picture that can stand for as long as it must. Access units with length prefixes. */
export interface StillPicture {
  /** An IDR picture: the slices of the one it was made of, with nothing that was said beside it. */
  idr: Buffer;
  /** The access unit that shows the picture unchanged, as the `index`th after {@link idr}, counted from 1. */
  repeat(index: number): Buffer;
}

/** The header of a first slice, as far as it is needed, is not longer. */
const maxSliceHeaderBytes = 32;
/** Picture parameter sets are numbered from 0 on: the last number is free. */
const lastParametersId = 255;
/** `slice_type` P, of all slices of the picture. */
const predictedSlices = 5;

/**
 * Makes a still of an IDR access unit: the picture itself, and repetitions of a few bytes whose macroblocks are all skipped, which
 * shows the picture before unchanged (P_Skip, ISO/IEC 14496-10 §7.3.4 and §8.4.1.1).
 *
 * Repetitions bring a picture parameter set of their own, so that they can be coded with CAVLC whatever the publisher uses. Where
 * the sequence can have no such pictures, for want of reference frames, each repetition is the IDR picture. Undefined for an access
 * unit that is no IDR picture, or not well-formed.
 */
export function makeStill(accessUnit: Buffer, { coding, nalLengthBytes }: H264Config): StillPicture | undefined {
  const slices = nalUnits(accessUnit, nalLengthBytes)
    .filter(({ type }) => type === nalType.idrSlice)
    .map(({ bytes }) => bytes)
    .toArray();
  const first = slices[0];
  if (first === undefined) return undefined;
  const idr = Buffer.concat(slices.map((slice) => withLengthPrefix(slice, nalLengthBytes)));
  if (coding.maxReferenceFrames === 0 || coding.separatePlanes) return { idr, repeat: () => idr };
  const header = readSliceHeaderIfWhole(first, coding);
  if (header === undefined) return undefined;
  const parametersId = header.parametersId === lastParametersId ? lastParametersId - 1 : lastParametersId;
  const parameters = formatPictureParameters(parametersId, coding.sequenceId);
  return {
    idr,
    repeat: (index) =>
      Buffer.concat(
        [parameters, formatSkippedPicture(index, header.order, parametersId, coding)].map((nal) =>
          withLengthPrefix(nal, nalLengthBytes),
        ),
      ),
  };
}

interface IdrHeader {
  parametersId: number;
  /** `pic_order_cnt_lsb`. */
  order: number;
}

function readSliceHeaderIfWhole(slice: Buffer, coding: PictureCoding): IdrHeader | undefined {
  try {
    return readSliceHeader(slice, coding);
  } catch (error) {
    if (!(error instanceof MediaFormatError)) throw error;
    return undefined;
  }
}

/** The slice header of an IDR picture (ISO/IEC 14496-10 §7.3.3). */
function readSliceHeader(slice: Buffer, { frameNumBits, framesOnly, orderType, orderBits }: PictureCoding): IdrHeader {
  const reader = new BitReader(withoutEmulationPrevention(slice.subarray(1, maxSliceHeaderBytes)), 'H.264 slice');
  reader.unsignedExpGolomb();
  reader.unsignedExpGolomb();
  const parametersId = reader.unsignedExpGolomb();
  reader.skip(frameNumBits);
  if (!framesOnly && reader.flag()) reader.skip(1);
  reader.unsignedExpGolomb();
  return { parametersId, order: orderType === 0 ? reader.bits(orderBits) : 0 };
}

/** A frame of one slice whose macroblocks are all skipped; the `index`th after an IDR picture. */
function formatSkippedPicture(index: number, idrOrder: number, parametersId: number, coding: PictureCoding): Buffer {
  const { frameNumBits, framesOnly, orderType, orderBits, orderDeltaAbsent, macroblocks } = coding;
  const writer = new BitWriter();
  writer.unsignedExpGolomb(0).unsignedExpGolomb(predictedSlices).unsignedExpGolomb(parametersId);
  writer.bits(index, frameNumBits);
  if (!framesOnly) writer.flag(false);
  // A frame is two fields: it counts twice.
  if (orderType === 0) writer.bits(idrOrder + 2 * index, orderBits);
  if (orderType === 1 && !orderDeltaAbsent) writer.unsignedExpGolomb(0);
  // References as they come by themselves, also once this picture is one; the quantizer as it is; no deblocking.
  writer.flag(false).flag(false).flag(false);
  writer.unsignedExpGolomb(0).unsignedExpGolomb(1);
  return formatNalUnit(nalType.slice, writer.unsignedExpGolomb(macroblocks));
}
