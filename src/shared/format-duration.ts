import { withUnit } from './with-unit.ts';

/** A duration as `HH:MM:SS`, with as many hours as needed; negative ones read as 0. */
export function formatClock(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** A duration in its two largest units: `42 s`, `3 min 5 s`, `2 h 10 min`, `4 days 3 h`. */
export function formatDuration(durationSeconds: number): string {
  const seconds = Math.max(0, Math.round(durationSeconds));
  if (seconds < 60) return withUnit(seconds, 's');
  if (seconds < 3600) return joinUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  if (seconds < 86_400) return joinUnits(Math.floor(seconds / 3600), 'h', Math.floor(seconds / 60) % 60, 'min');
  const days = Math.floor(seconds / 86_400);
  return joinUnits(days, days === 1 ? 'day' : 'days', Math.floor(seconds / 3600) % 24, 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? withUnit(large, largeUnit) : `${withUnit(large, largeUnit)} ${withUnit(small, smallUnit)}`;
}
