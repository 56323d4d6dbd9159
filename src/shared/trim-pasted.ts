/**
 * A pasted text without the white space and the invisible characters at its ends, which `trim` leaves: chats and web pages put zero-width
 * spaces around what is copied, and Windows a U+202A before a path in a file's properties.
 */
export function trimPasted(text: string): string {
  return /[^\s\p{Cf}](?:.*[^\s\p{Cf}])?/su.exec(text)?.[0] ?? '';
}

/** A path as typed or pasted: *Copy as path* on Windows puts it in quotes, which no absolute path begins with. */
export function readPastedPath(text: string): string {
  const path = trimPasted(text);
  return /^"(.+)"$/s.exec(path)?.[1] ?? path;
}
