import { expect, test } from 'vitest';
import { formatCluster, formatHeader } from './matroska.ts';
import { MatroskaSound } from './matroska-sound.ts';

const format = { width: 4, height: 2, fps: 25 };

/** A stream of blocks of sound, one in each cluster. */
function makeStream(blocks: readonly { timeMs: number; pcm: Buffer }[]): Buffer {
  return Buffer.concat([
    formatHeader(format, { video: false, audio: true }),
    ...blocks.flatMap(({ timeMs, pcm }) => [...formatCluster(timeMs, [{ track: 2, sizeBytes: pcm.length }]), pcm]),
  ]);
}

const blocks = [
  { timeMs: 1_500, pcm: Buffer.from('first, and longer') },
  { timeMs: 43_200_000, pcm: Buffer.from('after 12 h') },
];

test('blocks have their times and their sound', () => {
  expect(new MatroskaSound().push(makeStream(blocks))).toEqual(blocks);
});

test('it makes no difference in which pieces they come', () => {
  const reader = new MatroskaSound();
  expect([...makeStream(blocks)].flatMap((byte) => reader.push(Buffer.from([byte])))).toEqual(blocks);
});

test('blocks in groups, of smaller numbers and with a time in their cluster, are read as well', () => {
  const cluster = Buffer.from(
    ['1f43b675', '94', 'e78207b9', 'a08e', 'a188', '810005', '00', '01020304', '9b820015'].join(''),
    'hex',
  );
  expect(new MatroskaSound().push(cluster)).toEqual([{ timeMs: 1_977 + 5, pcm: Buffer.from([1, 2, 3, 4]) }]);
});

test.each([
  ['no element', Buffer.alloc(1024 * 1024)],
  ['an element without end', Buffer.concat([Buffer.from([0xa3, 0x01, 0, 0, 0, 0xff, 0, 0, 0]), Buffer.alloc(1024 * 1024)])],
])('%s is refused before it fills the memory', (_name, bytes) => {
  const reader = new MatroskaSound();
  expect(() => {
    for (let count = 0; count < 20; count += 1) reader.push(bytes);
  }).toThrow('Matroska: an element is too large, or there is none.');
});
