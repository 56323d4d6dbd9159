/** A picture's size in samples, and the shape of a sample. */
export interface PictureShape {
  width: number;
  height: number;
  sampleAspect: { horizontal: number; vertical: number };
}

/** The size a source is scaled to, and the size it is then padded to with black; all even. */
export interface PictureFit {
  scaled: { width: number; height: number };
  padded: { width: number; height: number };
}

/** Bars narrower than this in all are not worth having: the picture is stretched by as little. */
const maxStretchSamples = 2;

/** Fits a source's picture into a profile's, keeping its shape. 4:2:0 video has even sizes only, so odd ones lose a sample. */
export function fitPicture(source: PictureShape, profile: { width: number; height: number }): PictureFit {
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
  return available - even <= maxStretchSamples ? available : even;
}
