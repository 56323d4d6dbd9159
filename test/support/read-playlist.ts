/** What a media playlist says of a whole segment. */
export interface ReadSegment {
  msn: number;
  seconds: number;
  gap: boolean;
  /** How many `EXT-X-DISCONTINUITY` stand up to it, with those that were removed before. */
  discontinuitySequence: number;
  /** The URI of its `EXT-X-MAP`. */
  init: string | undefined;
}

/** Reads the whole segments of a media playlist. */
export function readPlaylist(text: string): { text: string; segments: ReadSegment[]; ended: boolean } {
  const segments: ReadSegment[] = [];
  const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
  let discontinuitySequence = Number(/#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(text)?.[1]);
  let init: string | undefined;
  let gap = false;
  let seconds = Number.NaN;
  for (const line of text.split('\n')) {
    if (line === '#EXT-X-DISCONTINUITY') discontinuitySequence += 1;
    else if (line === '#EXT-X-GAP') gap = true;
    else if (line.startsWith('#EXT-X-MAP:')) init = /URI="([^"]+)"/.exec(line)?.[1];
    else if (line.startsWith('#EXTINF:')) seconds = Number.parseFloat(line.slice('#EXTINF:'.length));
    else if (line !== '' && !line.startsWith('#')) {
      segments.push({ msn: first + segments.length, seconds, gap, discontinuitySequence, init });
      gap = false;
    }
  }
  return { text, segments, ended: text.includes('#EXT-X-ENDLIST') };
}
