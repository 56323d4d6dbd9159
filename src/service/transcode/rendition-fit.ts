import { isNearlyWhole } from '../../shared/picture-fit.ts';

/** A picture's size in samples, and its sample aspect ratio. */
export interface PictureShape {
  width: number;
  height: number;
  sampleAspect: { horizontal: number; vertical: number };
}

/** The size that a source is scaled to, and the size that it is then padded to with black. All are even. */
export interface RenditionFit {
  scaled: { width: number; height: number };
  padded: { width: number; height: number };
}

/** Fits a source's picture into a profile's, keeping its aspect ratio. 4:2:0 video has even sizes, so an odd size loses a sample. */
export function fitRendition(source: PictureShape, profile: { width: number; height: number }): RenditionFit {
  const padded = { width: profile.width - (profile.width % 2), height: profile.height - (profile.height % 2) };
  const displayWidth = (source.width * source.sampleAspect.horizontal) / source.sampleAspect.vertical;
  const factor = Math.min(padded.width / displayWidth, padded.height / source.height);
  return {
    scaled: {
      width: toFit(displayWidth * factor, padded.width),
      height: toFit(source.height * factor, padded.height),
    },
    padded,
  };
}

function toFit(length: number, available: number): number {
  const even = Math.max(2 * Math.round(length / 2), 2);
  return isNearlyWhole(even, available) ? available : even;
}
