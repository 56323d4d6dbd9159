import type { EncoderName } from '../../shared/model/encoder.ts';

/** Roughly the pixels that one core encodes in a second with x264, if the cost cannot be measured. */
const assumedPixelsPerCoreSecond = 50_000_000;
/** Hardware leaves the processor to scale pictures and hand them over. */
const assumedHardwarePixelsPerCoreSecond = 400_000_000;

/** How many cores it takes to encode so many pixels per second, assumed while it hasn't been measured. */
export function assumeCores(pixelsPerSecond: number, encoder: EncoderName = 'libx264'): number {
  return pixelsPerSecond / (encoder === 'libx264' ? assumedPixelsPerCoreSecond : assumedHardwarePixelsPerCoreSecond);
}
