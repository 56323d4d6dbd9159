/** The URL that `text` is, or undefined. `URL.parse` would do the same, but Safari lacks it before version 18. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
