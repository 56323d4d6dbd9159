import { withUnit } from './with-unit.ts';

/** Separates thousands: a narrow no-break space, as in `3 012 kbit/s`. */
const groupSeparator = '\u202f';

/** A whole number with grouped thousands. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, groupSeparator);
}

/** Bits per second: `3 012 kbit/s`. */
export function formatBitrate(bitrateBps: number): string {
  return withUnit(formatKilobits(bitrateBps), 'kbit/s');
}

/** Bits per second as whole kbit/s, without the unit. */
export function formatKilobits(bitrateBps: number): string {
  return formatCount(bitrateBps / 1000);
}
