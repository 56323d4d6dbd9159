import { expect, test } from 'vitest';
import { describeSleep } from './sleep-words.ts';

test('only the desktop app promises that the computer stays awake', () => {
  const say = (isDesktop: boolean, canHoldScreen: boolean) => describeSleep({ isDesktop, canHoldScreen }).isKeptAwake;
  expect([say(true, true), say(false, true), say(false, false)]).toEqual([true, false, false]);
});
