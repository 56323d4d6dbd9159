/** Characters that are read from the right (UAX #9, Bidi_Class R and AL, by block), or that change the direction of text. */
const turning =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** A part that is isolated already, or a single one of the characters that isolate text and end that. */
const isolates = /\u2068[^\u2066-\u2069]*\u2069|[\u2066-\u2069]/g;

/**
 * A name for a sentence. Hebrew or Arabic names, and those with characters that change the direction of text, are isolated, so that the
 * words and signs around them keep their order, and the sentence its direction (UAX #9, §2.4). Other names stay as they are.
 */
export function isolateName(name: string): string {
  return turning.test(name) ? `\u2068${name.replaceAll(isolates, (found) => (found.length > 1 ? found : ''))}\u2069` : name;
}

/** A sentence without the marks that isolate names in it, for terminals, which show them as escapes. */
export function dropIsolates(sentence: string): string {
  return sentence.replaceAll(/[\u2068\u2069]/g, '');
}
