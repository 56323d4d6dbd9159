import { eachBox } from '../../src/service/media/fmp4-reader.ts';

/** The fragments of a segment, each a `moof` and its `mdat` with any boxes before them: its parts. */
export function splitFragments(segment: Buffer): Buffer[] {
  const fragments: Buffer[] = [];
  let start = 0;
  for (const { type, position, content } of eachBox(segment)) {
    if (type !== 'mdat') continue;
    const end = position + 8 + content.length;
    fragments.push(segment.subarray(start, end));
    start = end;
  }
  return fragments;
}
