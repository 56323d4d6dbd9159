import type { EncodeChoice } from '../../src/shared/model/encode-settings.ts';

/** An encode that costs little: 720p with 10 frames a second. */
export const lightEncode: EncodeChoice = {
  kind: 'by-hand',
  settings: { width: 1280, height: 720, fps: 10, videoBitrateBps: 500_000, keyframeSeconds: 1, audioBitrateBps: 64_000 },
};
