import { weighDropped } from './dropped-frames.ts';
import type { Severity } from './model/live.ts';
import { areTrouble, type Stalls } from './stalls.ts';

/**
 * How bad each number that Health leads with is, by its own scale. Stages and verdict agree with the worst of them.
 *
 * @param droppedRatio share of the last minute's frames, 0 to 1; undefined if unknown
 * @param recent the monitor's stalls of the last minute
 * @param isCoarse the bitrate is so low that the picture is coarse
 */
export function weighNumbers({
  droppedRatio = 0,
  recent,
  isCoarse,
}: {
  droppedRatio: number | undefined;
  recent: Stalls;
  isCoarse: boolean;
}): Record<'bitrate' | 'droppedFrames' | 'stalls', Severity> {
  return {
    bitrate: isCoarse ? 'warn' : 'good',
    droppedFrames: weighDropped(droppedRatio),
    stalls: areTrouble(recent) ? 'warn' : 'good',
  };
}
