import { z } from 'zod';

/** Counts Unicode code points, as JSON Schema does: many emoji are one code point but two UTF-16 code units. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Text of 1 to `maxLength` characters. A later `meta` call must repeat {@link textBounds}. */
export function createText(maxLength: number) {
  return z
    .string()
    .min(1)
    .refine((text) => countCharacters(text) <= maxLength, `must be at most ${maxLength} characters long`)
    .meta(textBounds(maxLength));
}

/** The bounds for the OpenAPI document: zod doesn't count code points. */
export function textBounds(maxLength: number) {
  return { minLength: 1, maxLength };
}

/** No lone surrogates, like `String.isWellFormed` (ECMA-262; with the flag `u`, as JSON Schema reads patterns). */
export const wellFormedPattern = '^\\P{Cs}*$';
/** Well-formed and visible: `trim` leaves something. */
export const visiblePattern = '^\\P{Cs}*[^\\s\\p{Cs}]\\P{Cs}*$';
