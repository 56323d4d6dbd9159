import type { EncodeQuality } from '../../shared/model/live.ts';

/** The video of a one-click encode. */
export interface EncodeSettings {
  width: number;
  height: number;
  fps: number;
  videoBitrateBps: number;
}

/** With the usual H.264 bitrates for these sizes. */
export const encodeSettings: Record<EncodeQuality, EncodeSettings> = {
  '720p30': { width: 1280, height: 720, fps: 30, videoBitrateBps: 3_000_000 },
  '1080p30': { width: 1920, height: 1080, fps: 30, videoBitrateBps: 4_500_000 },
  '1080p60': { width: 1920, height: 1080, fps: 60, videoBitrateBps: 6_000_000 },
};
