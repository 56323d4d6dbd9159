import { expect, test } from 'vitest';
import { fileName } from './file-name.ts';

test("a file's name is the last part of its path, on any system", () => {
  expect(['/home/me/show.mp4', 'C:\\Videos\\show.mp4', 'show.mp4', '/'].map(fileName)).toEqual([
    'show.mp4',
    'show.mp4',
    'show.mp4',
    '/',
  ]);
});
