/** Where the next page begins, by an answer's `Link` (RFC 8288). Only the cursor is taken from the link: it may lead anywhere. */
export function findNextCursor(link: string | null, base: URL): string | undefined {
  // Without `<` in the address, a header full of them takes a time in proportion to its length, not to its square.
  const target = /<([^<>]*)>\s*;[^<]*\brel="?next"?/i.exec(link ?? '')?.[1];
  return (target === undefined ? null : URL.parse(target, base))?.searchParams.get('cursor') ?? undefined;
}
