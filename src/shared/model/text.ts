import { z } from 'zod';

/** Unicode characters (code points), as JSON Schema counts them: many an emoji is one, and two of JavaScript's. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Text of 1 to `maxLength` characters. What is added with `meta` afterwards must repeat {@link textBounds}. */
export function createText(maxLength: number) {
  return z
    .string()
    .min(1)
    .refine((text) => countCharacters(text) <= maxLength, `must be at most ${maxLength} characters long`)
    .meta(textBounds(maxLength));
}

/** What the document says of such text: zod knows no code points. */
export function textBounds(maxLength: number) {
  return { minLength: 1, maxLength };
}

/** No half of a surrogate pair, as `String.isWellFormed` (ECMA-262, with the flag `u`, as JSON Schema reads patterns). */
export const wellFormedPattern = '^\\P{Cs}*$';
/** Well-formed, with something to see in it: what `trim` leaves is not empty. */
export const visiblePattern = '^\\P{Cs}*[^\\s\\p{Cs}]\\P{Cs}*$';
