import { expect, test } from 'vitest';
import { formatRoute, parseRoute, type Route } from './route.ts';

test('every route survives the round trip through its hash', () => {
  const routes: Route[] = [
    { kind: 'streams' },
    { kind: 'new-stream' },
    { kind: 'edit-stream', streamId: 'a/b c' },
    { kind: 'studio', streamId: '0f8c' },
    { kind: 'tally' },
    { kind: 'tally', streamId: '0f8c' },
    { kind: 'settings' },
  ];
  expect(routes.map((route) => parseRoute(formatRoute(route)))).toEqual(routes);
});

test('an unknown hash is Streams', () => {
  expect(
    ['', '#', '#/', '#/studio', '#/nowhere/x', '#/streams/x', '#/studio/%E0%A4'].map((hash) => parseRoute(hash).kind),
  ).toEqual(['streams', 'streams', 'streams', 'streams', 'streams', 'streams', 'studio']);
});
