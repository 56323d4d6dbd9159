import type { EncodeChoice } from '../../src/shared/model/encode-settings.ts';

/** The cheapest encode: the smallest picture, 10 times a second. */
export const lightEncode = encodeLightly();

/** The same for tests that need more pictures a second, or a video bitrate of their own, in bit/s. */
export function encodeLightly({ fps = 10, videoBitrateBps = 500_000 } = {}): EncodeChoice {
  return {
    kind: 'by-hand',
    settings: { width: 720, height: 720, fps, videoBitrateBps, keyframeSeconds: 1, audioBitrateBps: 64_000 },
  };
}
