import { expect, test } from 'vitest';
import { findH264Level } from './h264-level.ts';

test('size, rate and bitrate each raise the level', () => {
  const hd = { width: 1280, height: 720, fps: 30, bitrateBps: 3_000_000 };
  expect(findH264Level(hd)).toBe('3.1');
  expect(findH264Level({ ...hd, fps: 60 })).toBe('3.2');
  expect(findH264Level({ ...hd, bitrateBps: 14_000_001 })).toBe('3.2');
  expect(findH264Level({ ...hd, width: 1920, height: 1080 })).toBe('4.0');
  expect(findH264Level({ ...hd, width: 1920, height: 1080, fps: 60 })).toBe('4.2');
  expect(findH264Level({ ...hd, width: 3840, height: 2160, fps: 60 })).toBe('5.2');
  expect(findH264Level({ width: 128, height: 96, fps: 15, bitrateBps: 50_000 })).toBe('1.0');
});

test('a side that is too long for its area raises the level, up to the highest', () => {
  expect(findH264Level({ width: 4096, height: 16, fps: 1, bitrateBps: 10_000 })).toBe('4.0');
  expect(findH264Level({ width: 8192, height: 8192, fps: 240, bitrateBps: 2_000_000_000 })).toBe('6.2');
});
