import type { Part } from 'hls.js';
import { expect, test } from 'vitest';
import { PictureDates } from './picture-dates.ts';

const placed = (startPTS: number) =>
  ({ audiovideo: { startPTS }, video: null, audio: null }) as unknown as Part['elementaryStreams'];
/** A one-second segment whose media is placed there, dated `dateMs`. */
const segment = (sn: number, startPTS: number, dateMs: number) => ({
  sn,
  duration: 1,
  programDateTime: dateMs,
  elementaryStreams: placed(startPTS),
});
const part = (fragOffset: number, startPTS: number) =>
  ({ fragOffset, duration: 0.2, elementaryStreams: placed(startPTS) }) as unknown as Part;

test('a frame is dated by its own segment, wherever hls.js expected it', () => {
  const dates = new PictureDates();
  // An encoder at half real time: one second of media spans two seconds of wall clock.
  dates.note(segment(7, 10.25, 50_000));
  dates.note(segment(8, 11.25, 52_000));
  expect([10.25, 11, 11.125, 11.25, 11.75].map((seconds) => dates.find(seconds))).toEqual([
    50_000, 51_500, 51_750, 52_000, 53_000,
  ]);
  expect([10, 12.5].map((seconds) => dates.find(seconds))).toEqual([undefined, undefined]);
});

test('across a pause, or with an encoder that catches up, the pace is one', () => {
  const dates = new PictureDates();
  dates.note(segment(7, 10, 50_000));
  dates.note(segment(8, 11, 71_000));
  dates.note(segment(9, 12, 71_900));
  expect([10.5, 11.5, 12.5].map((seconds) => dates.find(seconds))).toEqual([50_500, 71_500, 72_400]);
});

test.each([
  { order: 'as it plays', noted: [7, 8] },
  { order: 'after a jump back', noted: [8, 7] },
])('where two segments meet, a frame has the date of the one that has begun ($order)', ({ noted }) => {
  const dates = new PictureDates();
  // The encoder was away between them.
  const placedAt = new Map([7, 8].map((sn) => [sn, segment(sn, sn, 50_000 + (sn - 7) * 21_000)]));
  for (const sn of noted) dates.note(placedAt.get(sn)!);
  expect([7.96, 8, 8.04].map((seconds) => Math.round(dates.find(seconds) ?? 0))).toEqual([50_960, 71_000, 71_040]);
});

test("a segment known by one part starts that part's offset earlier", () => {
  const dates = new PictureDates();
  const { elementaryStreams: _, ...open } = segment(7, 0, 50_000);
  dates.note({ ...open, elementaryStreams: placed(0) }, part(0.4, 3.4));
  expect(dates.find(3.5)).toBe(50_500);
  dates.note({ ...open, elementaryStreams: placed(0) }, part(0.6, 3.6));
  expect(dates.find(3.7)).toBe(50_700);
});

test('a segment placed again counts at its new place, and one without a date is ignored', () => {
  const dates = new PictureDates();
  dates.note(segment(7, 10, 50_000));
  dates.note(segment(7, 10.02, 50_000));
  expect(dates.find(10.52)).toBe(50_500);
  dates.note({ ...segment(8, 11, 0), programDateTime: null });
  expect(dates.find(11.5)).toBeUndefined();
});
