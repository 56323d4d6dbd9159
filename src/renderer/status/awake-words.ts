/** Whether the broadcasting computer stays awake on air, as far as this page knows, and what to do about it. */
export interface AwakeWords {
  isKeptAwake: boolean;
  sentence: string;
}

const ownersPart = 'turn off sleep on the computer that runs Tallylight.';

/** `canHoldScreen`: whether the browser lets this page keep a screen on, which most do, over HTTPS and on this computer only. */
export function describeAwake({ isDesktop, canHoldScreen }: { isDesktop: boolean; canHoldScreen: boolean }): AwakeWords {
  if (isDesktop) return { isKeptAwake: true, sentence: 'Tallylight keeps this computer awake while you are on air' };
  const sentence = canHoldScreen
    ? `On air, this page keeps its device awake unless it's hidden or closed. To be safe, ${ownersPart}`
    : `This browser doesn't let this page keep its device awake; most do over HTTPS. To be safe, ${ownersPart}`;
  return { isKeptAwake: false, sentence };
}
