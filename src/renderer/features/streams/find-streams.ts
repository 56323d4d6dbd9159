/** The list becomes searchable at this many streams. */
const searchableStreams = 20;

/** Whether there are enough streams to search. With fewer, an earlier search no longer applies. */
export function isSearchable(streams: readonly unknown[]): boolean {
  return streams.length >= searchableStreams;
}

/** The streams whose name contains every word of the search, ignoring case and accents. */
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
