import type { EncodeChoice } from '../../src/shared/model/encode-settings.ts';

/** The encode that costs least: the smallest picture, 10 times a second. */
export const lightEncode: EncodeChoice = {
  kind: 'by-hand',
  settings: { width: 720, height: 720, fps: 10, videoBitrateBps: 500_000, keyframeSeconds: 1, audioBitrateBps: 64_000 },
};
