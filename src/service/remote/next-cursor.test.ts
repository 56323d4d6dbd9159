import { expect, test } from 'vitest';
import { findNextCursor } from './next-cursor.ts';

const base = new URL('https://live.example.com/api/stream?limit=100');

test.each([
  ['</api/stream?cursor=abc&limit=100>; rel="next"', 'abc'],
  ['<https://elsewhere.example.org/?cursor=abc>; rel=next', 'abc'],
  ['<?cursor=first>; rel="prev", <?cursor=abc>; title="more"; rel="next"', 'abc'],
  ['</api/stream?cursor=abc>; rel="prev"', undefined],
  ['</api/stream>; rel="next"', undefined],
  ['<http://[>; rel="next"', undefined],
  ['nonsense', undefined],
  [null, undefined],
])('%s', (link, cursor) => {
  expect(findNextCursor(link, base)).toBe(cursor);
});

// Half a minute if the time grew with the square of the length.
test.each(['<', '<>', '<>;', '<>;rel', ';rel=<'])(
  'as many times %s as fit into a header delay nobody',
  (part) => {
    const link = `<${part.repeat(15_000 / part.length)}`;
    for (let count = 0; count < 100; count += 1) expect(findNextCursor(link, base)).toBeUndefined();
  },
  10_000,
);
