import { expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

const sentences = (log: EventLog) => log.lines.map(({ at, sentence }) => `${at} ${sentence}`);

test('lines are newest first, and one that is told late stands at its time', () => {
  const log = new EventLog();
  log.add(1_000, 'good', 'On air.');
  log.add(9_000, 'good', 'Back on air.');
  log.add(4_000, 'warn', 'Frames are missing.', { isLate: true });
  log.add(9_000, 'good', 'All good.', { isLate: true });
  expect(sentences(log)).toEqual(['9000 All good.', '9000 Back on air.', '4000 Frames are missing.', '1000 On air.']);
});

test('a clock that is set back leaves the order of what happened', () => {
  const log = new EventLog();
  log.add(9_000, 'good', 'On air.');
  log.add(1_000, 'good', 'Back on air.');
  expect(sentences(log)).toEqual(['1000 Back on air.', '9000 On air.']);
});

test('the oldest lines fall off', () => {
  const log = new EventLog(2);
  for (const at of [1, 2, 3]) log.add(at, 'good', 'Said.');
  log.add(1, 'warn', 'Too late.', { isLate: true });
  expect(sentences(log)).toEqual(['3 Said.', '2 Said.']);
});
