import { describe, expect, test } from 'vitest';
import { findRegionOfTimeZone, proposeRegion } from './region-catalogue.ts';

describe('the region proposed for a time zone', () => {
  test('is a three-letter code for every zone this runtime knows', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    expect(zones.filter((zone) => !/^[a-z]{3}$/.test(findRegionOfTimeZone(zone)))).toEqual([]);
    expect(proposeRegion()).toMatch(/^[a-z]{3}$/);
  });

  test.each([
    ['Europe/Berlin', 'ber'],
    ['America/New_York', 'jfk'],
    ['America/Argentina/Buenos_Aires', 'eze'],
    ['America/Los_Angeles', 'lax'],
    ['Asia/Kolkata', 'del'],
    ['Asia/Calcutta', 'del'],
    ['Asia/Singapore', 'sin'],
    ['Europe/Kyiv', 'kbp'],
    ['Australia/Sydney', 'syd'],
    ['UTC', 'lhr'],
    ['Etc/GMT+12', 'akl'],
    ['Etc/GMT+8', 'lax'],
    ['Etc/GMT-14', 'cxi'],
    ['US/Pacific', 'lax'],
    ['Mars/Olympus', 'lhr'],
  ])('%s is %s', (zone, region) => {
    expect(findRegionOfTimeZone(zone)).toBe(region);
  });
});
