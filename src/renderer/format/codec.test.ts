import { expect, test } from 'vitest';
import { formatCodec } from './codec.ts';

test('codec strings are said in the words people use, and unknown ones stay', () => {
  expect(
    ['avc1.64001f', 'avc1.42C01E', 'avc1.ff0028', 'mp4a.40.2', 'mp4a.40.5', 'mp4a.40.99', 'hvc1.1.6.L93.B0'].map(formatCodec),
  ).toEqual(['H.264 High 3.1', 'H.264 Baseline 3.0', 'H.264 4.0', 'AAC-LC', 'HE-AAC', 'mp4a.40.99', 'hvc1.1.6.L93.B0']);
});
