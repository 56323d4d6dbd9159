import { z } from 'zod';

/** Text of 1 to `maxLength` characters: Unicode code points, for zod as for JSON Schema. */
export function createText(maxLength: number) {
  return z.string().min(1).max(maxLength);
}

/** No lone surrogates, like `String.isWellFormed` (ECMA-262; with the flag `u`, as JSON Schema reads patterns). */
export const wellFormedPattern = '^\\P{Cs}*$';
/** Well-formed and visible: `trim` leaves something. */
export const visiblePattern = '^\\P{Cs}*[^\\s\\p{Cs}]\\P{Cs}*$';
