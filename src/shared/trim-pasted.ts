/** Neither white space nor invisible. Not all of \p{Cf} is: the flag of Scotland ends with some, and Arabic has signs among them. */
const visible = String.raw`[^\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f]`;
const fromFirstToLast = new RegExp(`${visible}(?:.*${visible})?`, 'su');

/**
 * A pasted text without the white space and the invisible characters at its ends, which `trim` leaves: chats and web pages put zero-width
 * spaces around what is copied, and Windows a U+202A before a path in a file's properties.
 */
export function trimPasted(text: string): string {
  return fromFirstToLast.exec(text)?.[0] ?? '';
}

/** A path as typed or pasted: *Copy as path* on Windows puts it in quotes, which no absolute path begins with. */
export function readPastedPath(text: string): string {
  const path = trimPasted(text);
  return /^"(.+)"$/s.exec(path)?.[1] ?? path;
}
