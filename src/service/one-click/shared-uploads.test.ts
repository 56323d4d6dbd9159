import { expect, test } from 'vitest';
import { createMemoryRecord } from '../../../test/support/memory-record.ts';
import { SharedUploads } from './shared-uploads.ts';
import { type CarriedRate, UploadSpeeds } from './upload-speeds.ts';

/** Uploads to one ingest, and a clock of the test's own. */
function setUp() {
  const at = { now: 1_000_000 };
  const speeds = new UploadSpeeds(createMemoryRecord({}), () => at.now);
  const notes: CarriedRate[] = [];
  const note = (ingest: string, rate: CarriedRate) => {
    notes.push(rate);
    speeds.note(ingest, rate);
  };
  const ended = new Set<string>();
  const uploads = new SharedUploads({ note }, { monotonicMs: () => at.now, isSent: (streamId) => !ended.has(streamId) });
  /** Each stream reports every 10 s, the second 5 s after the first. */
  const broadcast = (minutes: number, first: CarriedRate, second?: CarriedRate) => {
    for (let report = 0; report < minutes * 6; report += 1) {
      uploads.report('a', 'one', first);
      at.now += 5_000;
      if (second) uploads.report('a', 'two', second);
      at.now += 5_000;
    }
  };
  return { at, speeds, notes, uploads, ended, broadcast };
}

test('two broadcasts that are held back on one way leave its limit at what they carry together', () => {
  const { speeds, broadcast } = setUp();
  broadcast(10, { bps: 8_000_000, isHeldBack: true });
  expect(speeds.find('a')?.limitBps).toBe(8_000_000);
  broadcast(10, { bps: 4_000_000, isHeldBack: true }, { bps: 4_000_000, isHeldBack: true });
  expect(speeds.find('a')?.limitBps).toBeCloseTo(8_000_000, -5);
});

test('the sum is noted every 10 s, held back if one of them is, until one has ended', () => {
  const { notes, ended, broadcast } = setUp();
  broadcast(0.5, { bps: 4_000_000, isHeldBack: false }, { bps: 1_000_000, isHeldBack: true });
  ended.add('two');
  broadcast(0.5, { bps: 5_000_000, isHeldBack: false });
  expect(notes).toEqual([
    { bps: 4_000_000, isHeldBack: false },
    { bps: 5_000_000, isHeldBack: true },
    { bps: 5_000_000, isHeldBack: true },
    { bps: 5_000_000, isHeldBack: false },
    { bps: 5_000_000, isHeldBack: false },
    { bps: 5_000_000, isHeldBack: false },
  ]);
});

test('what the others send is known by ingest, until they end, or no longer report', () => {
  const { at, uploads, ended } = setUp();
  uploads.report('a', 'one', { bps: 4_000_000, isHeldBack: false });
  uploads.report('a', 'two', { bps: 2_000_000, isHeldBack: false });
  uploads.report('b', 'three', { bps: 1_000_000, isHeldBack: false });
  expect(['one', 'two', 'new'].map((id) => uploads.othersBps('a', id))).toEqual([2_000_000, 4_000_000, 6_000_000]);
  ended.add('one');
  expect(uploads.othersBps('a', 'new')).toBe(2_000_000);
  at.now += 16_000;
  expect(uploads.othersBps('a', 'new')).toBe(0);
});
