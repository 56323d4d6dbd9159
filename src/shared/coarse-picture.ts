import { coarseShare, usualBitrateBps } from './model/encode-settings.ts';
import type { OneClickState } from './model/live.ts';

/** A video bitrate, lowered from the chosen one, in bit/s. */
export interface LoweredBitrate {
  bitrateBps: number;
  chosenBps: number;
}

/**
 * The bitrate of one click's video while it is lowered so far that the picture is coarse: far below what is usual for its size, and
 * below the chosen bitrate. A raise counts only once it has lasted, since many are taken back.
 */
export function findCoarseBitrate(oneClick: OneClickState): LoweredBitrate | undefined {
  if (oneClick.kind !== 'running' || oneClick.videoBitrateBps === undefined) return undefined;
  const { settings, videoBitrateBps: bitrateBps, provenBitrateBps = bitrateBps } = oneClick;
  const { videoBitrateBps: chosenBps } = settings;
  const isCoarse = provenBitrateBps < Math.min(usualBitrateBps(settings), chosenBps) * coarseShare;
  return isCoarse ? { bitrateBps, chosenBps } : undefined;
}
