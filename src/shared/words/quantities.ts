import { formatCount } from '../format-count.ts';
import { withUnit } from '../with-unit.ts';

/** A ratio as whole per cent: 0.85 is `85 %`. */
export function formatPercent(ratio: number): string {
  return withUnit(Math.round(ratio * 100), '%');
}

/** A duration in tenths of a second: `2.0 s`. */
export function formatSeconds(seconds: number): string {
  return withUnit(seconds.toFixed(1), 's');
}

/** A time to wait, rounded up: in seconds up to two minutes, then in minutes. */
export function formatWait(seconds: number): string {
  return seconds <= 120 ? withUnit(Math.ceil(seconds), 's') : withUnit(Math.ceil(seconds / 60), 'min');
}

/** How often something happened: `once`, `twice`, `3 times`. */
export function formatTimes(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/** A level without its unit, with a minus sign: `−16`, `−22.4`. */
export function formatLevel(level: number): string {
  return Number(level.toFixed(1)).toString().replace('-', '−');
}

/** A number of frames: `1 frame`, `250 frames`. */
export function formatFrames(count: number): string {
  return count === 1 ? '1 frame' : `${formatCount(count)} frames`;
}
