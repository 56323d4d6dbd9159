/** "Stream key" → "stream key"; names with leading capitals, like "API key", stay. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text;
}
