import { expect, test } from 'vitest';
import { describeAwake } from './awake-words.ts';

test('only the desktop app promises that the computer stays awake', () => {
  const say = (isDesktop: boolean, canHoldScreen: boolean) => describeAwake({ isDesktop, canHoldScreen });
  expect([say(true, true), say(false, true), say(false, false)]).toEqual([
    { isKeptAwake: true, sentence: 'Tallylight keeps this computer awake while you are on air' },
    {
      isKeptAwake: false,
      sentence:
        "On air, this page keeps its device awake unless it's hidden or closed. To be safe, turn off sleep on the computer that runs Tallylight.",
    },
    {
      isKeptAwake: false,
      sentence:
        "This browser doesn't let this page keep its device awake; most do over HTTPS. To be safe, turn off sleep on the computer that runs Tallylight.",
    },
  ]);
});
