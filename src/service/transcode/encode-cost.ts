import type { EncoderName } from '../../shared/model/encoder.ts';

/** Roughly what one core encodes in a second with x264, where the cost cannot be measured. */
const assumedPixelsPerCoreSecond = 50_000_000;
/** Hardware leaves the processor to scale pictures and hand them over. */
const assumedHardwarePixelsPerCoreSecond = 400_000_000;

/** How many cores it takes to encode so many pixels per second, where that has not been measured. */
export function assumeCores(pixelsPerSecond: number, encoder: EncoderName = 'libx264'): number {
  return pixelsPerSecond / (encoder === 'libx264' ? assumedPixelsPerCoreSecond : assumedHardwarePixelsPerCoreSecond);
}
