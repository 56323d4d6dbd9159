import type { Severity } from './model/live.ts';

/** Dropped frames: amber over 1 %, red over 5 % of those expected. */
const warnRatio = 0.01;
const badRatio = 0.05;

/** How bad it is that this share of the frames was dropped, 0 to 1. */
export function weighDropped(ratio: number): Severity {
  if (ratio <= warnRatio) return 'good';
  return ratio > badRatio ? 'bad' : 'warn';
}
