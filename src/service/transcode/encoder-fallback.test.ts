import { expect, test } from 'vitest';
import { EncoderFallback } from './encoder-fallback.ts';

test('hardware is replaced by x264 once, and x264 by nothing', () => {
  const fallback = new EncoderFallback('h264_nvenc', 60_000);
  expect([fallback.encoder, fallback.isHardware]).toEqual(['h264_nvenc', true]);
  expect([fallback.replaceHardware(), fallback.encoder, fallback.isHardware]).toEqual([true, 'libx264', false]);
  expect([fallback.replaceHardware(), fallback.encoder]).toEqual([false, 'libx264']);
});

test('failures count within the window, whichever encoder they were of', () => {
  const fallback = new EncoderFallback('h264_nvenc', 60_000);
  expect(fallback.countFailure(0)).toBe(1);
  fallback.replaceHardware();
  expect([fallback.countFailure(59_999), fallback.countFailure(60_000)]).toEqual([2, 2]);
});
