import { expect, test } from 'vitest';
import { formatCapturedMedia, parseCapturedMedia } from './capture-message.ts';

const picture = { kind: 'picture', width: 2, height: 2, bytes: Uint8Array.of(1, 2, 3, 4, 5, 6) } as const;
const sound = { kind: 'sound', bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) } as const;

test('pictures have their size in front of their planes, sounds nothing', () => {
  const hex = [picture, sound].map((media) => Buffer.from(formatCapturedMedia(media)).toString('hex'));
  expect(hex).toEqual(['01000000' + '02000200' + '010203040506', '02000000' + '00000000' + '0102030405060708']);
});

test.each([picture, sound])('$kind is read back, wherever in memory it is', (media) => {
  const memory = new Uint8Array([9, 9, 9, ...new Uint8Array(formatCapturedMedia(media))]);
  expect(parseCapturedMedia(memory.subarray(3))).toEqual(media);
});

test.each([
  ['nothing', []],
  ['half a header', [1, 0, 0, 0]],
  ['an unknown kind', [3, 0, 0, 0, 0, 0, 0, 0]],
  ['a picture without a size', [1, 0, 0, 0, 0, 0, 0, 0]],
  ['a picture without a height', [1, 0, 0, 0, 2, 0, 0, 0]],
  ['a picture without a width', [1, 0, 0, 0, 0, 0, 2, 0]],
  ['a picture with odd sides', [1, 0, 0, 0, 1, 0, 1, 0, 1, 1]],
  ['a picture with an odd width', [1, 0, 0, 0, 1, 0, 2, 0, 1, 2, 3]],
  ['a picture with an odd height', [1, 0, 0, 0, 2, 0, 1, 0, 1, 2, 3]],
  ['a picture that is cut off', [1, 0, 0, 0, 2, 0, 2, 0, 1, 2, 3, 4, 5]],
  ['a picture that is too long', [1, 0, 0, 0, 2, 0, 2, 0, 1, 2, 3, 4, 5, 6, 7]],
  ['half a sample', [2, 0, 0, 0, 0, 0, 0, 0, 1, 2]],
])('%s is no media', (_what, bytes) => {
  expect(parseCapturedMedia(Uint8Array.from(bytes))).toBeUndefined();
});
