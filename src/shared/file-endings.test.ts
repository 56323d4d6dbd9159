import { expect, test } from 'vitest';
import { findEnding } from './file-endings.ts';

test.each([
  ['/films/Show.Part.2.MP4', '.mp4'],
  ['C:\\films.old\\show', ''],
  ['/films.old/show', ''],
  ['show.', ''],
])('the ending of %s is "%s"', (path, ending) => {
  expect(findEnding(path)).toBe(ending);
});
