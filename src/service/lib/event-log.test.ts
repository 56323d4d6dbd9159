import { expect, test } from 'vitest';
import type { LogEvent } from '../../shared/model/log-line.ts';
import { EventLog } from './event-log.ts';

const onAir: LogEvent = { code: 'on-air', afterMs: 1_000 };
const backOnAir: LogEvent = { code: 'back-on-air', afterMs: 1_000 };
const malformed: LogEvent = { code: 'media-malformed', fault: 'It is too short.' };
const codes = (log: EventLog) => log.lines.map(({ at, event }) => `${at} ${event.code}`);

test('lines are newest first, and a late line is sorted in by its time', () => {
  const log = new EventLog();
  log.add(1_000, 'good', onAir);
  log.add(9_000, 'good', backOnAir);
  log.add(4_000, 'warn', malformed, { isLate: true });
  log.add(9_000, 'good', onAir, { isLate: true });
  expect(codes(log)).toEqual(['9000 on-air', '9000 back-on-air', '4000 media-malformed', '1000 on-air']);
});

test('a clock that is set back does not change the order of events', () => {
  const log = new EventLog();
  log.add(9_000, 'good', onAir);
  log.add(1_000, 'good', backOnAir);
  expect(codes(log)).toEqual(['1000 back-on-air', '9000 on-air']);
});

test('the oldest lines are dropped', () => {
  const log = new EventLog(2);
  for (const at of [1, 2, 3]) log.add(at, 'good', onAir);
  log.add(1, 'warn', malformed, { isLate: true });
  expect(codes(log)).toEqual(['3 on-air', '2 on-air']);
});

test('the newest event of a kind can be replaced once more is known; its line keeps its place', () => {
  const log = new EventLog();
  log.amend(onAir);
  log.add(1, 'good', onAir);
  log.add(2, 'good', onAir);
  log.add(3, 'warn', malformed);
  log.amend({ code: 'on-air', afterMs: 2_000 });
  expect(log.lines).toEqual([
    { id: 3, at: 3, severity: 'warn', event: malformed },
    { id: 2, at: 2, severity: 'good', event: { code: 'on-air', afterMs: 2_000 } },
    { id: 1, at: 1, severity: 'good', event: onAir },
  ]);
});
