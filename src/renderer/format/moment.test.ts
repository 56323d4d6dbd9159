import { expect, test } from 'vitest';
import { formatDayAndTime } from './moment.ts';

test('a date in another year includes the year', () => {
  const at = new Date(2026, 10, 21, 20, 11).getTime();
  expect(formatDayAndTime(at, new Date(2026, 0, 1).getTime())).toBe('21 Nov, 20:11');
  expect(formatDayAndTime(at, new Date(2027, 0, 1).getTime())).toBe('21 Nov 2026, 20:11');
});
