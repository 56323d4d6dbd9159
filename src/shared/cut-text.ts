/** At most so many characters (Unicode code points) of a text, and well-formed: half a character becomes U+FFFD. */
export function cutText(text: string, most: number): string {
  // A character has at most two UTF-16 code units.
  const [...characters] = text.slice(0, 2 * most).toWellFormed();
  return characters.slice(0, most).join('');
}
