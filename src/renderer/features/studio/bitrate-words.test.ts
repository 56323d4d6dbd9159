import { expect, test } from 'vitest';
import { describeBitrates, rangeOf } from './bitrate-words.ts';

const range = { min: 2_500_000, max: 3_012_400 };

test('five minutes are claimed only once the page has seen them', () => {
  expect([describeBitrates(range, undefined), describeBitrates(range, '18:25:31')]).toEqual([
    {
      title: 'Bitrate, last 5 minutes',
      peak: 'peak 3\u202f012\u00a0kbit/s',
      alternative: 'Bitrate between 2\u202f500 and 3\u202f012\u00a0kbit/s in the last 5 minutes',
    },
    {
      title: 'Bitrate since 18:25:31',
      peak: 'peak 3\u202f012\u00a0kbit/s',
      alternative: 'Bitrate between 2\u202f500 and 3\u202f012\u00a0kbit/s since 18:25:31',
    },
  ]);
});

test('without a measurement it says so, for the time that the page has seen', () => {
  expect(describeBitrates(undefined, '18:25:31')).toEqual({
    title: 'Bitrate since 18:25:31',
    peak: '',
    alternative: 'No bitrate measured since 18:25:31',
  });
  expect(describeBitrates(undefined, undefined).alternative).toBe('No bitrate measured in the last 5 minutes');
});

test('a range is that of the known bitrates', () => {
  expect([rangeOf([null, 3, null, 1, 2]), rangeOf([null]), rangeOf([])]).toEqual([{ min: 1, max: 3 }, undefined, undefined]);
});
