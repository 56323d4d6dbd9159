import { expect, test } from 'vitest';
import { breakDownLatency } from './latency-breakdown.ts';

test('measured from capture, every part counts and the rest is delivery', () => {
  const latency = { fromCapture: true, encodeMs: 60, uploadMs: 12, packagingMs: 210 };
  expect(breakDownLatency({ totalMs: 900, bufferMs: 480 }, latency, false)).toEqual([
    { name: 'Encode', ms: 60, isBefore: false },
    { name: 'Upload', ms: 12, isBefore: false },
    { name: 'Packaging', ms: 210, isBefore: false },
    { name: 'Player buffer', ms: 480, isBefore: false },
    { name: 'Delivery to the player', ms: 138, isBefore: false },
  ]);
});

test('measured from ingest, encode and upload are shown but not counted', () => {
  const latency = { fromCapture: false, encodeMs: 60, uploadMs: 12, packagingMs: 210 };
  const parts = breakDownLatency({ totalMs: 900, bufferMs: 480 }, latency, false);
  expect(parts.map(({ isBefore }) => isBefore)).toEqual([true, true, false, false, false]);
  expect(parts.at(-1)).toEqual({ name: 'Delivery to the player', ms: 210, isBefore: false });
});

test('with an unmeasured part, the last row is everything else', () => {
  const parts = breakDownLatency({ totalMs: 900, bufferMs: 480 }, undefined, false);
  expect(parts.map(({ ms }) => ms)).toEqual([undefined, undefined, undefined, 480, 420]);
  expect(parts.at(-1)?.name).toBe('Everything else');
  // Whether the total includes them isn't known.
  expect(parts.some(({ isBefore }) => isBefore)).toBe(false);
});

test('if the parts exceed the total, the rest is zero, never negative', () => {
  expect(breakDownLatency({ totalMs: 500, bufferMs: 400 }, { fromCapture: true, encodeMs: 300 }, false).at(-1)?.ms).toBe(0);
});

test("a rendition's rest includes transcoding", () => {
  const latency = { fromCapture: true, encodeMs: 60, uploadMs: 12, packagingMs: 210 };
  const parts = breakDownLatency({ totalMs: 1_300, bufferMs: 480 }, latency, true);
  expect(parts.at(-1)).toEqual({ name: 'Transcoding and delivery', ms: 538, isBefore: false });
});
