import { withUnit } from '../../shared/with-unit.ts';

/** Shown for an unknown value. */
export const unknownValue = '–';

/** A number with `digits` decimals, without `.0` if whole: `30`, `29.97`. */
export function formatDecimal(value: number, digits: number): string {
  return Number(value.toFixed(digits)).toString();
}

/** A file size in the largest unit that keeps it at 1 or more: `812 B`, `3.4 MB`. */
export function formatSize(sizeBytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = sizeBytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return withUnit(unit === 0 ? value : value.toFixed(1), units[unit] ?? '');
}

/** A share of 1 as a percentage without its sign, with two significant digits: `0`, `0.02`, `1.4`, `23`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0) return '0';
  if (percent < 0.01) return '< 0.01';
  return percent < 1 ? percent.toFixed(2) : percent < 10 ? percent.toFixed(1) : percent.toFixed(0);
}
