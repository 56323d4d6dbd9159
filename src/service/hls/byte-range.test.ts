import { expect, it } from 'vitest';
import { parseByteRange } from './byte-range.ts';

it.each([
  ['bytes=0-0', { kind: 'bytes', first: 0, last: 0 }],
  ['bytes=10-19', { kind: 'bytes', first: 10, last: 19 }],
  ['Bytes= 10- ', { kind: 'bytes', first: 10, last: 99 }],
  ['bytes=90-200', { kind: 'bytes', first: 90, last: 99 }],
  ['bytes=-5', { kind: 'bytes', first: 95, last: 99 }],
  ['bytes=-500', { kind: 'bytes', first: 0, last: 99 }],
  ['bytes=100-', { kind: 'unsatisfiable' }],
  ['bytes=-0', { kind: 'unsatisfiable' }],
  [undefined, { kind: 'whole' }],
  ['bytes=20-10', { kind: 'whole' }],
  ['bytes=0-1,4-5', { kind: 'whole' }],
  ['items=0-1', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
  ['bytes=1e3-', { kind: 'whole' }],
])('reads the range %s of 100 bytes', (header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range);
});
