import { expect, test } from 'vitest';
import { formatCluster, formatHeader } from './matroska.ts';

test('the header says what the tracks are, and the segment never ends', () => {
  const both = formatHeader({ width: 4, height: 2, fps: 25 }, { video: true, audio: true });
  const hex = both.toString('hex');
  expect(hex.startsWith('1a45dfa3')).toBe(true);
  expect(hex).toContain('1853806701ffffffffffffff');
  // 40 ms a frame, 4 × 2 pixels, I420.
  expect(hex).toContain(`23e3830100000000000008${(40_000_000).toString(16).padStart(16, '0')}`);
  expect(hex).toContain(Buffer.from('I420').toString('hex'));
  // The matrix of BT.709, in limited range.
  expect(hex).toContain('55b101000000000000080000000000000001');
  expect(hex).toContain('55b901000000000000080000000000000001');
  const video = formatHeader({ width: 4, height: 2, fps: 25 }, { video: true, audio: false });
  expect([both, video].map((header) => header.includes('A_PCM/INT/LIT'))).toEqual([true, false]);
});

test('a cluster has its time, and each block its track and size', () => {
  const [first, second] = formatCluster(40, [
    { track: 1, sizeBytes: 12 },
    { track: 2, sizeBytes: 4 },
  ]);
  // The time takes 17 bytes, a block's head 13.
  expect(first?.toString('hex')).toBe(
    ['1f43b675010000000000003b', 'e70100000000000008', '0000000000000028', 'a30100000000000010', '81000080'].join(''),
  );
  expect(second?.toString('hex')).toBe(['a30100000000000008', '82000080'].join(''));
});
