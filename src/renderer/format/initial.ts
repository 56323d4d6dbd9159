const characters = new Intl.Segmenter();

/** The first character of a name as people see it, in upper case. An emoji may consist of several code points. */
export function findInitial(name: string): string {
  const [first] = characters.segment(name.trim());
  return first?.segment.toUpperCase() ?? '';
}
