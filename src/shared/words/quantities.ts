import { formatCount } from '../format-count.ts';
import { withUnit } from '../with-unit.ts';

export function formatPercent(ratio: number): string {
  return withUnit(Math.round(ratio * 100), '%');
}

export function formatSeconds(seconds: number): string {
  return withUnit(seconds.toFixed(1), 's');
}

/** A time to wait, rounded up: in seconds up to two minutes, then in minutes. */
export function formatWait(seconds: number): string {
  return seconds <= 120 ? withUnit(Math.ceil(seconds), 's') : withUnit(Math.ceil(seconds / 60), 'min');
}

export function formatTimes(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/** A level without its unit, with a minus sign: `−16`, `−22.4`. */
export function formatLevel(level: number): string {
  return Number(level.toFixed(1)).toString().replace('-', '−');
}

export function formatFrames(count: number): string {
  return count === 1 ? '1 frame' : `${formatCount(count)} frames`;
}
