import { expect, test } from 'vitest';
import { createMemoryRecord } from '../../../test/support/memory-record.ts';
import { usableUploadBps } from '../../shared/model/encode-settings.ts';
import { UploadSpeeds } from './upload-speeds.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const startedAt = 1_000;

/** Speeds with a clock of the test's own, noted every 10 s as a broadcast does. */
function setUp() {
  const at = { now: startedAt };
  const speeds = new UploadSpeeds(createMemoryRecord({}), () => at.now);
  const broadcast = (minutes: number, bps: number, isHeldBack = false) => {
    for (let note = 0; note < minutes * 6; note += 1) {
      speeds.note('a', { bps, isHeldBack });
      at.now += 10_000;
    }
  };
  const limit = () => Math.round((speeds.find('a')?.limitBps ?? 0) / 100_000) / 10;
  return { speeds, at, broadcast, limit };
}

test('while nothing holds a broadcast back, only what went through is known', () => {
  const { speeds, broadcast } = setUp();
  broadcast(60, 3_000_000);
  broadcast(60, 2_000_000);
  expect(speeds.find('a')).toEqual({ carriedBps: 3_000_000, measuredAt: startedAt + 60 * minute - 10_000 });
  expect(speeds.find('b')).toBeUndefined();
});

test('a first broadcast that is held back knows the limit after a minute: the most that went through', () => {
  const { broadcast, limit, speeds } = setUp();
  speeds.note('a', { bps: 2_100_000, isHeldBack: true });
  broadcast(0.5, 1_900_000, true);
  expect(limit()).toBe(0);
  broadcast(0.5, 1_900_000, true);
  expect(limit()).toBe(2.1);
});

test('one bad minute is no limit, and takes nothing off a known one', () => {
  const { broadcast, limit } = setUp();
  broadcast(5, 6_000_000);
  // The bitrate needs two more minutes to recover.
  broadcast(3, 1_000_000, true);
  broadcast(12, 6_000_000);
  expect(limit()).toBe(0);
  broadcast(40, 4_000_000, true);
  const known = limit();
  broadcast(10, 3_000_000);
  broadcast(3, 1_000_000, true);
  broadcast(17, 3_000_000);
  expect(limit()).toBeGreaterThanOrEqual(known);
});

test('a way that has become narrow is followed by half of the difference every ten minutes', () => {
  const { broadcast, limit } = setUp();
  broadcast(20, 6_000_000);
  const seen = [10, 10, 10, 10].map((minutes) => {
    broadcast(minutes, 2_000_000, true);
    return limit();
  });
  expect(seen).toEqual([4, 3, 2.5, 2.3]);
});

test('a limit that was exceeded rises at once', () => {
  const { speeds, broadcast, limit } = setUp();
  broadcast(10, 4_000_000, true);
  speeds.note('a', { bps: 6_000_000, isHeldBack: false });
  expect(limit()).toBe(6);
});

test('after one congested evening, broadcasts that use what may be used climb back', () => {
  const { broadcast, limit, speeds, at } = setUp();
  broadcast(90, 2_000_000, true);
  const evenings = Array.from({ length: 6 }, () => {
    at.now += day;
    broadcast(60, usableUploadBps(speeds.find('a')) ?? 0);
    return limit();
  });
  expect(evenings).toEqual([2.5, 3.1, 3.9, 4.9, 6.1, 7.6]);
  // A broadcast that uses little of the upload doesn't show how much more there is.
  broadcast(60, 1_000_000);
  expect(limit()).toBe(7.6);
});

test('twelve hours later, a limit counts for half of the way back to what went through that week', () => {
  const { broadcast, limit, speeds, at } = setUp();
  broadcast(60, 6_000_000);
  broadcast(90, 2_000_000, true);
  const lastAt = at.now - 10_000;
  expect(speeds.find('a')).toMatchObject({ carriedBps: 6_000_000, measuredAt: lastAt });
  const seen = [lastAt, lastAt + day / 2 - 1, lastAt + day / 2].map((now) => {
    at.now = now;
    return limit();
  });
  expect(seen).toEqual([2, 2, 4]);
  broadcast(60, usableUploadBps(speeds.find('a')) ?? 0);
  expect(limit()).toBe(5.5);
});

test('a limit that holds a broadcast back on another day, too, is that of the way', () => {
  const { broadcast, limit, at } = setUp();
  broadcast(60, 6_000_000);
  broadcast(90, 2_000_000, true);
  at.now += day;
  broadcast(20, 2_500_000, true);
  expect(limit()).toBe(2.5);
  at.now += day;
  expect(limit()).toBe(2.5);
});

test('ten bad minutes on another day, after more has gone through easily, do not make the limit that of the way', () => {
  const { broadcast, speeds, at } = setUp();
  broadcast(60, 6_000_000);
  broadcast(90, 2_000_000, true);
  at.now += day;
  broadcast(50, 4_000_000);
  broadcast(10, 1_000_000, true);
  at.now += day;
  expect(speeds.find('a')?.carriedBps).toBe(6_000_000);
});

test('a limit that was not reached for a week is forgotten, however often something was sent since', () => {
  const { broadcast, limit, speeds, at } = setUp();
  broadcast(60, 2_000_000, true);
  for (let days = 0; days < 6; days += 1) {
    at.now += day;
    broadcast(30, 500_000);
  }
  expect(limit()).toBe(2);
  at.now += day;
  broadcast(10, 500_000);
  expect(speeds.find('a')).toEqual({ carriedBps: 500_000, measuredAt: at.now - 10_000 });
});

test('what a clock noted that was far ahead, and has been set back since, is forgotten', () => {
  const { speeds, at, broadcast } = setUp();
  at.now += 30 * day;
  broadcast(10, 500_000, true);
  expect(speeds.find('a')?.limitBps).toBe(500_000);
  at.now -= 30 * day;
  expect(speeds.find('a')).toBeUndefined();
  broadcast(1, 3_000_000);
  expect(speeds.find('a')).toEqual({ carriedBps: 3_000_000, measuredAt: at.now - 10_000 });
});

test('a week later nothing is known, and at most 32 ingests are', () => {
  const { speeds, at } = setUp();
  for (let index = 0; index < 33; index += 1) {
    at.now += 1;
    speeds.note(`ingest ${index}`, { bps: 1, isHeldBack: false });
  }
  expect([speeds.find('ingest 0'), speeds.find('ingest 1')?.carriedBps]).toEqual([undefined, 1]);
  at.now += 8 * day;
  expect(speeds.find('ingest 32')).toBeUndefined();
});
