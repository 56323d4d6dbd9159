import { expect, test } from 'vitest';
import { fileInput } from './file-input.ts';

test.each([
  ['/a/concat:b.mp4', ['-i', 'file:/a/concat:b.mp4']],
  ['/a/50% off.png', ['-i', 'file:/a/50% off.png']],
  // ffmpeg reads only image paths as patterns.
  ['/a/50%done.mp4', ['-i', 'file:/a/50%done.mp4']],
  ['/a/50%done.png', ['-f', 'png_pipe', '-i', 'file:/a/50%done.png']],
  ['/a/100%03d/b.JPG', ['-f', 'jpeg_pipe', '-i', 'file:/a/100%03d/b.JPG']],
  ['/a/20%*.gif', ['-f', 'gif', '-i', 'file:/a/20%*.gif']],
])('%s is one file', (path, expected) => {
  expect(fileInput(path)).toEqual(expected);
});
