import { expect, test } from 'vitest';
import { findStreams, isSearchable } from './find-streams.ts';

const streams = ['Sunday show', 'Früh am Morgen', 'SHOWTIME', 'بث مباشر'].map((name) => ({ name }));
const find = (sought: string) => findStreams(streams, sought).map(({ name }) => name);

test('a name is found by any part, ignoring case and accents', () => {
  expect(find('show')).toEqual(['Sunday show', 'SHOWTIME']);
  expect(find(' show  sun ')).toEqual(['Sunday show']);
  expect(find('fruh')).toEqual(['Früh am Morgen']);
  expect(find('مباشر')).toEqual(['بث مباشر']);
  expect(find('radio')).toEqual([]);
});

test('an empty search finds everything', () => {
  expect(find('  ')).toHaveLength(4);
});

test('the list is searchable from 20 streams on', () => {
  expect([0, 19, 20, 2_000].map((length) => isSearchable(Array.from({ length })))).toEqual([false, false, true, true]);
});
