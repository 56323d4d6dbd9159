import { withUnit } from '../../shared/with-unit.ts';

const justNow = 'just now';

/** Time from `atMs` to `nowMs`, both epoch milliseconds. From one to ten seconds it shows tenths, so that it visibly ticks. */
export function formatAge(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, nowMs - atMs) / 1000;
  if (seconds < 1) return justNow;
  if (seconds < 10) return `${withUnit(seconds.toFixed(1), 's')} ago`;
  if (seconds < 60) return `${withUnit(Math.floor(seconds), 's')} ago`;
  return formatCoarseAge(atMs, nowMs);
}

/** How often coarse ages are updated, in milliseconds: the same everywhere, so that an age is the same on two screens. */
export const coarseAgeStepMs = 5_000;

/** A coarse age for lists: `just now`, `3 min ago`, `2 h ago`, `1 day ago`. */
export function formatCoarseAge(atMs: number, nowMs: number): string {
  const length = formatMinutes(atMs, nowMs);
  return length === undefined ? justNow : `${length} ago`;
}

/** A coarse age where room is short: `just now`, `3 min`. */
export function formatShortAge(atMs: number, nowMs: number): string {
  return formatMinutes(atMs, nowMs) ?? justNow;
}

/** How long ago it was, in whole minutes, hours or days; undefined below a minute. */
function formatMinutes(atMs: number, nowMs: number): string | undefined {
  const minutes = Math.floor(Math.max(0, nowMs - atMs) / 60_000);
  if (minutes < 1) return undefined;
  if (minutes < 60) return withUnit(minutes, 'min');
  if (minutes < 24 * 60) return withUnit(Math.floor(minutes / 60), 'h');
  const days = Math.floor(minutes / (24 * 60));
  return withUnit(days, days === 1 ? 'day' : 'days');
}
