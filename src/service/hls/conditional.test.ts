import { expect, it } from 'vitest';
import { acceptsGzip, matchesEtag } from './conditional.ts';

it.each([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b", W/"a"', '"a"', true],
  ['*', '"a"', true],
  ['"b"', '"a"', false],
  [undefined, '"a"', false],
])('compares If-None-Match %s with %s', (header, etag, matches) => {
  expect(matchesEtag(header, etag)).toBe(matches);
});

it.each([
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['X-GZIP', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['identity', false],
  [undefined, false],
])('reads Accept-Encoding %s', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts);
});
