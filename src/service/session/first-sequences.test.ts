import { expect, test } from 'vitest';
import { firstSequences } from './first-sequences.ts';

const before2026 = Date.UTC(2025, 11, 31);
const today = Date.UTC(2026, 10, 29);
const minuteMs = 60_000;

test('a stream that was created in this run begins at 0', () => {
  expect(firstSequences({ nextMediaSequence: 0, nextDiscontinuitySequence: 0, isNew: true }, today)).toEqual({
    firstMediaSequence: 0,
    firstDiscontinuitySequence: 0,
  });
});

test('while the clock is behind the stored numbers, any other begins beyond them, with room for those that a crash or a full disk left unstored', () => {
  for (const [used, discontinuities] of [
    // Stored before the first session, which may have stored nothing.
    [0, 0],
    [1, 0],
    [40, 2],
    [2 ** 40, 7],
  ] as const) {
    expect(
      firstSequences({ nextMediaSequence: used, nextDiscontinuitySequence: discontinuities, isNew: false }, before2026),
    ).toEqual({
      firstMediaSequence: used + 65_536,
      firstDiscontinuitySequence: discontinuities + 4_096,
    });
  }
});

test('after a restored backup, numbers begin beyond all that were used since', () => {
  const backup = { nextMediaSequence: 40, nextDiscontinuitySequence: 2, isNew: false };
  const first = firstSequences(backup, today);
  const again = firstSequences(backup, today + 10 * minuteMs);
  expect(first).toEqual({ firstMediaSequence: 114_739_200, firstDiscontinuitySequence: 4_098 });
  // Room for four segments a second.
  expect(again.firstMediaSequence - first.firstMediaSequence).toBe(2_400);
});

test('a stream whose numbers are lost begins beyond them', () => {
  const used = firstSequences({ nextMediaSequence: 40, nextDiscontinuitySequence: 2, isNew: false }, today);
  const lost = firstSequences({ nextMediaSequence: 0, nextDiscontinuitySequence: 0, isNew: false }, today + minuteMs);
  expect(lost.firstMediaSequence - used.firstMediaSequence).toBe(240);
});

test('restarts keep to the clock, however many there are', () => {
  let nextMediaSequence = 0;
  for (let hour = 0; hour < 1_000; hour += 1) {
    const { firstMediaSequence } = firstSequences(
      { nextMediaSequence, nextDiscontinuitySequence: 0, isNew: false },
      today + hour * 60 * minuteMs,
    );
    expect(firstMediaSequence).toBe(114_739_200 + hour * 14_400);
    // 59 minutes of segments of 1 s.
    nextMediaSequence = firstMediaSequence + 59 * 60;
  }
});

test('if the clock is set back, numbers still continue', () => {
  const stored = { nextMediaSequence: 114_739_300, nextDiscontinuitySequence: 0, isNew: false };
  expect(firstSequences(stored, today).firstMediaSequence).toBe(114_739_300 + 65_536);
  expect(firstSequences({ ...stored, nextMediaSequence: 114_739_200 }, today).firstMediaSequence).toBe(114_739_200 + 65_536);
  expect(firstSequences({ ...stored, nextMediaSequence: 114_739_199 }, today).firstMediaSequence).toBe(114_739_200);
});
