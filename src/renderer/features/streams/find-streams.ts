/** The streams whose name has every word that is sought, in any case and with or without accents. */
export function findStreams<Named extends { name: string }>(streams: readonly Named[], sought: string): Named[] {
  const words = simplify(sought).split(/\s+/).filter(Boolean);
  return streams.filter(({ name }) => {
    const simple = simplify(name);
    return words.every((word) => simple.includes(word));
  });
}

function simplify(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
