/**
 * Escapes the characters that control a terminal, break a line or change the direction of text, as JSON does it (RFC 8259 §7). For
 * other people's text that is printed on a terminal.
 */
export function escapeInvisible(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => character.split('').map(escapeUnit).join(''));
}
