import { expect, onTestFinished, test } from 'vitest';
import { formatDay, formatDayAndTime, formatMoment, formatTimeOfDay } from './moment.ts';

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

test('after a change of the time zone every time is of the new one', () => {
  const { TZ } = process.env;
  onTestFinished(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const at = Date.UTC(2026, 10, 21, 20, 11, 4);
  const nowMs = Date.UTC(2027, 10, 21);
  const formatAll = () => [
    formatTimeOfDay(at),
    formatMoment(at, nowMs),
    formatDay(at),
    formatDayAndTime(at, at),
    formatDayAndTime(at, nowMs),
  ];
  process.env.TZ = 'America/New_York';
  expect(formatAll()).toEqual(['15:11:04', '15:11:04 on 21 Nov 2026', '21 Nov 2026', '21 Nov, 15:11', '21 Nov 2026, 15:11']);
  process.env.TZ = 'Asia/Tokyo';
  expect(formatAll()).toEqual(['05:11:04', '05:11:04 on 22 Nov 2026', '22 Nov 2026', '22 Nov, 05:11', '22 Nov 2026, 05:11']);
});
