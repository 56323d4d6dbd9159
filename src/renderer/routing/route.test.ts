import { expect, test } from 'vitest';
import { findServiceId, formatRoute, listOf, parseRoute, type Route, tallyOf } from './route.ts';

test('every route survives the round trip through its hash', () => {
  const details: Readonly<Record<Route['kind'], readonly object[]>> = {
    streams: [{}, { serviceId: 'k3j2' }],
    'new-stream': [{}, { serviceId: 'k3j2' }],
    'edit-stream': [{ streamId: 'a/b c' }],
    studio: [{ streamId: '0f8c' }, { streamId: 'k3j2~0f8c' }],
    tally: [{}, { streamId: '0f8c' }, { serviceId: 'k3j2' }],
    regions: [{}],
    settings: [{}],
  };
  const routes = Object.entries(details).flatMap(([kind, each]) => each.map((detail) => ({ kind, ...detail }) as Route));
  expect(routes.map((route) => parseRoute(formatRoute(route)))).toEqual(routes);
});

test('an unknown hash is Streams', () => {
  expect(
    ['', '#', '#/', '#/studio', '#/nowhere/x', '#/streams/x', '#/studio/%E0%A4'].map((hash) => parseRoute(hash).kind),
  ).toEqual(['streams', 'streams', 'streams', 'streams', 'streams', 'streams', 'studio']);
});

test('a screen knows its remote service, and the list it belongs to', () => {
  const hashes = ['#/streams', '#/services/k3j2/streams/new', '#/studio/k3j2~0f8c', '#/studio/0f8c', '#/tally', '#/settings'];
  expect(hashes.map((hash) => findServiceId(parseRoute(hash)))).toEqual([
    undefined,
    'k3j2',
    'k3j2',
    undefined,
    undefined,
    undefined,
  ]);
  expect(formatRoute(listOf(parseRoute('#/streams/k3j2~0f8c/edit')))).toBe('#/services/k3j2/streams');
});

test('the tally view is of the screen where it is opened, and leads back there', () => {
  const hashes = [
    '#/studio/0f8c',
    '#/studio/k3j2~0f8c',
    '#/services/k3j2/streams',
    '#/streams/k3j2~0f8c/edit',
    '#/streams',
    '#/regions',
  ];
  const tallies = hashes.map((hash) => tallyOf(parseRoute(hash)));
  expect(tallies.map(formatRoute)).toEqual([
    '#/tally/0f8c',
    '#/tally/k3j2~0f8c',
    ...Array(2).fill('#/services/k3j2/tally'),
    ...Array(2).fill('#/tally'),
  ]);
  expect(tallies.map((tally) => formatRoute(listOf(tally)))).toEqual([
    '#/streams',
    ...Array(3).fill('#/services/k3j2/streams'),
    ...Array(2).fill('#/streams'),
  ]);
});
