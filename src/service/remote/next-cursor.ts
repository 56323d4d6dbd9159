/** The cursor of the next page, from an answer's `Link` (RFC 8288). The rest of the link is ignored, since it may lead anywhere. */
export function findNextCursor(link: string | null, base: URL): string | undefined {
  // The address may not contain `<`, so that a header full of them takes time linear in its length, not quadratic.
  const target = /<([^<>]*)>\s*;[^<]*\brel="?next"?/i.exec(link ?? '')?.[1];
  return (target === undefined ? null : URL.parse(target, base))?.searchParams.get('cursor') ?? undefined;
}
