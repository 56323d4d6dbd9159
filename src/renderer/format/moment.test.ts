import { expect, test } from 'vitest';
import { formatDayAndTime, formatMoment } from './moment.ts';

test('a date in another year includes the year', () => {
  const at = new Date(2026, 10, 21, 20, 11).getTime();
  expect(formatDayAndTime(at, new Date(2026, 0, 1).getTime())).toBe('21 Nov, 20:11');
  expect(formatDayAndTime(at, new Date(2027, 0, 1).getTime())).toBe('21 Nov 2026, 20:11');
});

test('a time of another day than today includes the date', () => {
  const at = new Date(2026, 10, 21, 20, 11, 4).getTime();
  expect(formatMoment(at, new Date(2026, 10, 21, 23, 59, 59).getTime())).toBe('20:11:04');
  expect(formatMoment(at, new Date(2026, 10, 22).getTime())).toBe('20:11:04 on 21 Nov');
  expect(formatMoment(at, new Date(2027, 10, 21).getTime())).toBe('20:11:04 on 21 Nov 2026');
});
