/** From as many streams on the list can be searched. */
const searchableStreams = 20;

/** Whether there are so many that one is looked for by name; what was typed before counts no more once there are fewer. */
export function isSearchable(streams: readonly unknown[]): boolean {
  return streams.length >= searchableStreams;
}

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
