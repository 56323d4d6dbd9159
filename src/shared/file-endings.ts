/** The endings of files that usually have video that ffmpeg reads. */
export const videoEndings: ReadonlySet<string> = new Set(
  '.mp4 .m4v .mov .mkv .webm .flv .avi .ts .m2ts .mts .mpg .mpeg .wmv .ogv .3gp .mxf .vob .gif .y4m .f4v'.split(' '),
);
/** The endings of pictures; a GIF may be either. */
export const pictureEndings: ReadonlySet<string> = new Set('.png .jpg .jpeg .webp .bmp .tif .tiff .gif .avif'.split(' '));
/** The endings of files that have only sound. */
export const soundEndings: ReadonlySet<string> = new Set(
  '.mp3 .m4a .aac .ogg .oga .opus .flac .wav .aif .aiff .wma .mka .ac3'.split(' '),
);

/** The ending of a path, from its last dot on and in lower case; `''` if it has none. */
export function findEnding(path: string): string {
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
}
