import type { EncodeQuality } from '../../shared/model/live.ts';

/** How a one-click encode is to look. */
export interface EncodeSettings {
  width: number;
  height: number;
  fps: number;
  videoBitrateBps: number;
}

/** The bitrates that the field uses for these sizes of H.264. */
export const encodeSettings: Record<EncodeQuality, EncodeSettings> = {
  '720p30': { width: 1280, height: 720, fps: 30, videoBitrateBps: 3_000_000 },
  '1080p30': { width: 1920, height: 1080, fps: 30, videoBitrateBps: 4_500_000 },
  '1080p60': { width: 1920, height: 1080, fps: 60, videoBitrateBps: 6_000_000 },
};
