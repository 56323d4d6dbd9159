/** The text without the slashes at its end. In one pass: `/\/+$/` would retry every run of slashes from each of its slashes. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
