import { extname } from 'node:path';

/** Older ffmpegs read an image path with one of these as a pattern: for a series like `1.png`, `2.png`, or as a glob. */
const pattern = /%(\d*d|[*?[{])/;

/** ffmpeg's demuxers that read a single image, whatever its path, by file ending. */
const imageFormats: Readonly<Record<string, string>> = {
  '.png': 'png_pipe',
  '.jpg': 'jpeg_pipe',
  '.jpeg': 'jpeg_pipe',
  '.webp': 'webp_pipe',
  '.bmp': 'bmp_pipe',
  '.tif': 'tiff_pipe',
  '.tiff': 'tiff_pipe',
  '.gif': 'gif',
};

/** ffmpeg's arguments for one input file. The protocol makes ffmpeg take any name, like `concat:a` or `-y`, for a file. */
export function fileInput(path: string): string[] {
  const format = pattern.test(path) ? imageFormats[extname(path).toLowerCase()] : undefined;
  return [...(format === undefined ? [] : ['-f', format]), '-i', `file:${path}`];
}
