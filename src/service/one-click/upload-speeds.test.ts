import { expect, test } from 'vitest';
import { createMemoryRecord } from '../../../test/support/memory-record.ts';
import { UploadSpeeds } from './upload-speeds.ts';

function setUp() {
  const at = { now: 1_000 };
  return { speeds: new UploadSpeeds(createMemoryRecord({}), () => at.now), at };
}

test('while nothing waits only what went through is known, and a limit once something waited', () => {
  const { speeds } = setUp();
  speeds.note('a:1935', { bps: 3_000_000, isLimit: false });
  speeds.note('a:1935', { bps: 2_000_000, isLimit: false });
  expect(speeds.find('a:1935')).toEqual({ carriedBps: 3_000_000, measuredAt: 1_000 });
  speeds.note('a:1935', { bps: 4_000_000, isLimit: true });
  expect(speeds.find('a:1935')).toEqual({ carriedBps: 4_000_000, limitBps: 4_000_000, measuredAt: 1_000 });
  expect(speeds.find('b:1935')).toBeUndefined();
});

test('a limit that was exceeded rises at once, and one bad minute lowers it by half of the difference', () => {
  const { speeds } = setUp();
  speeds.note('a', { bps: 4_000_000, isLimit: true });
  speeds.note('a', { bps: 6_000_000, isLimit: false });
  expect(speeds.find('a')?.limitBps).toBe(6_000_000);
  speeds.note('a', { bps: 1_000_000, isLimit: true });
  expect(speeds.find('a')?.limitBps).toBe(3_500_000);
});

test('a week later nothing is known, and at most 32 ingests are', () => {
  const { speeds, at } = setUp();
  for (let index = 0; index < 33; index += 1) {
    at.now += 1;
    speeds.note(`ingest ${index}`, { bps: 1, isLimit: false });
  }
  expect([speeds.find('ingest 0'), speeds.find('ingest 1')?.carriedBps]).toEqual([undefined, 1]);
  at.now += 8 * 24 * 3600_000;
  expect(speeds.find('ingest 32')).toBeUndefined();
});
