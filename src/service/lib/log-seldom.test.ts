import { expect, test } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { createSeldomLog, createSeldomWarning } from './log-seldom.ts';

test('warns at once, then at most every 10 s with the number of omitted warnings', () => {
  const { log, lines } = createTestLog();
  let time = 1_000;
  const warn = createSeldomWarning(log, () => time);
  for (let turn = 0; turn < 25; turn += 1) {
    warn({ turn }, 'No.');
    time += 1_000;
  }
  expect(lines.map(({ level, turn, more, msg }) => ({ level, turn, more, msg }))).toEqual([
    { level: 40, turn: 0, more: undefined, msg: 'No.' },
    { level: 40, turn: 10, more: 9, msg: 'No.' },
    { level: 40, turn: 20, more: 9, msg: 'No.' },
  ]);
  time = 0;
  warn({}, 'Now.');
  expect(lines.at(-1)).toMatchObject({ more: 4, msg: 'Now.' });
});

test('a burst of warnings is allowed', () => {
  const { log, lines } = createTestLog();
  const warn = createSeldomWarning(log, () => 0, 3);
  for (let turn = 0; turn < 9; turn += 1) warn({ turn }, 'No.');
  expect(lines.map(({ turn }) => turn)).toEqual([0, 1, 2]);
});

test('the lines of a log are counted together, whatever their level', () => {
  const { log, lines } = createTestLog();
  let time = 1_000;
  const seldom = createSeldomLog(log, () => time, 2);
  seldom.info({ turn: 0 }, 'Gone.');
  seldom.warn({ turn: 1 }, 'No.');
  seldom.info({ turn: 2 }, 'Gone.');
  seldom.warn({ turn: 3 }, 'No.');
  time += 10_000;
  seldom.info({ turn: 4 }, 'Gone.');
  expect(lines.map(({ level, turn, more }) => ({ level, turn, more }))).toEqual([
    { level: 30, turn: 0, more: undefined },
    { level: 40, turn: 1, more: undefined },
    { level: 30, turn: 4, more: 2 },
  ]);
});
