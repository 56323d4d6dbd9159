import fc from 'fast-check';

/** How many code points are halves of surrogate pairs, and the first of them. */
const surrogates = 0x800;
const firstSurrogate = 0xd800;

/** One character: any code point that is not half of a surrogate pair. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('This is not one character.');
    return point < firstSurrogate ? point : point - surrogates;
  },
);

/** Any text. As `fc.string` of unit `binary`, which first lists all code points, for half a second. */
export function anyText({ minLength, maxLength }: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({
    unit: anyCharacter,
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  });
}
