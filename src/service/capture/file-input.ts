import { extname } from 'node:path';

/** Older ffmpegs take an image whose path has one of these for a pattern: of a series like `1.png`, `2.png`, or of a glob. */
const pattern = /%(\d*d|[*?[{])/;

/** What in ffmpeg reads one image, whatever its path, by the end of its name. */
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

/** ffmpeg's arguments for one file as an input, whatever its name: with the protocol, one like `concat:a` or `-y` can only be a file. */
export function fileInput(path: string): string[] {
  const format = pattern.test(path) ? imageFormats[extname(path).toLowerCase()] : undefined;
  return [...(format === undefined ? [] : ['-f', format]), '-i', `file:${path}`];
}
