/** Whether the computer that broadcasts stays awake on air, as far as this page knows, and what to do about it. */
export interface SleepWords {
  isKeptAwake: boolean;
  sentence: string;
}

const ownersPart = 'turn off sleep in the settings of the computer that Tallylight runs on.';

/** `canHoldScreen`: the browser lets this page keep a screen on, which it does over HTTPS and on this computer alone. */
export function describeSleep({ isDesktop, canHoldScreen }: { isDesktop: boolean; canHoldScreen: boolean }): SleepWords {
  if (isDesktop) return { isKeptAwake: true, sentence: 'Tallylight keeps this computer awake while you are on air' };
  const sentence = canHoldScreen
    ? `On air this page keeps the device awake that shows it, unless it is hidden or closed. To be sure, ${ownersPart}`
    : `This page cannot keep a device awake: browsers allow it over HTTPS only. To be sure, ${ownersPart}`;
  return { isKeptAwake: false, sentence };
}
