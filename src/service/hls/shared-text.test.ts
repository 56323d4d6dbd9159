import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SharedText } from './shared-text.ts';

const formatSegments = (count: number) => Array.from({ length: count }, (_, msn) => `#EXTINF:2.00000,\n${msn}.m4s\n`).join('');

/** The compression level in a gzip header: 4 is the fastest (XFL, RFC 1952 §2.3.1). */
const readEffort = (gzipped: Buffer) => gzipped[8];

test.each([
  ['of a minute', 30, 0],
  ['of hours is compressed the fastest way, and', 7_200, 4],
])('a playlist %s is the same after decompression', (_, segments, effort) => {
  const text = formatSegments(segments);
  const { gzipped } = new SharedText(text);
  expect(gunzipSync(gzipped).toString()).toBe(text);
  expect(readEffort(gzipped)).toBe(effort);
});
