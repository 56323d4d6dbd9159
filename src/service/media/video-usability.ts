import type { BitReader } from './bit-reader.ts';

/** Aspect ratio of a sample. */
export interface SampleAspect {
  horizontal: number;
  vertical: number;
}

/** The default if unspecified. */
export const squareSamples: SampleAspect = { horizontal: 1, vertical: 1 };

// Table E-1: sample aspect ratio by aspect_ratio_idc.
const sampleAspects = [
  [1, 1],
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
] as const;

/** The start of the video usability information of H.264 and HEVC. */
export interface UsabilityStart {
  /** Aspect ratio of a sample; 1:1 if unspecified. */
  sampleAspect: SampleAspect;
  /** `transfer_characteristics`, if the colours are described. */
  transfer?: number;
}

/** The defaults without usability information. */
export const noUsability: UsabilityStart = { sampleAspect: squareSamples };

/**
 * Reads the first fields of the video usability information, up to the chroma position. They are the same in H.264 and HEVC (ISO/IEC
 * 14496-10 and 23008-2, annex E).
 */
export function readUsabilityStart(reader: BitReader): UsabilityStart {
  const sampleAspect = reader.flag() ? readSampleAspect(reader) : squareSamples;
  if (reader.flag()) reader.skip(1);
  const transfer = reader.flag() ? readTransfer(reader) : undefined;
  if (reader.flag()) {
    reader.unsignedExpGolomb();
    reader.unsignedExpGolomb();
  }
  return { sampleAspect, ...(transfer !== undefined && { transfer }) };
}

/** Reads `video_signal_type`: format, range, and the description of the colours, whose second of three numbers this is. */
function readTransfer(reader: BitReader): number | undefined {
  reader.skip(4);
  if (!reader.flag()) return undefined;
  reader.skip(8);
  const transfer = reader.bits(8);
  reader.skip(8);
  return transfer;
}

function readSampleAspect(reader: BitReader): SampleAspect {
  const index = reader.bits(8);
  const [horizontal, vertical] = index === 255 ? [reader.bits(16), reader.bits(16)] : (sampleAspects[index] ?? [1, 1]);
  // Zero means unspecified.
  return horizontal === 0 || vertical === 0 ? squareSamples : { horizontal, vertical };
}
