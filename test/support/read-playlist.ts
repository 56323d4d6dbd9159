/** A part as listed in a media playlist. */
export interface ReadPart {
  uri: string;
  seconds: number;
  independent: boolean;
  gap: boolean;
}

/** A segment as listed in a media playlist. */
export interface ReadPlaylistSegment {
  msn: number;
  uri: string;
  seconds: number;
  gap: boolean;
  discontinuity: boolean;
  /** How many `EXT-X-DISCONTINUITY` precede it, including removed ones. */
  discontinuitySequence: number;
  /** `EXT-X-PROGRAM-DATE-TIME`, verbatim. */
  programDateTime: string | undefined;
  /** The URI of its `EXT-X-MAP`. */
  init: string | undefined;
  parts: ReadPart[];
}

export type ReadPlaylist = ReturnType<typeof readPlaylist>;

/** The parts of a media playlist that a player reads. */
export function readPlaylist(text: string) {
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const mediaSequence = number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m);
  const segments: ReadPlaylistSegment[] = [];
  let discontinuities = number(/^#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)$/m);
  let init: string | undefined;
  let tags: string[] = [];
  let parts: ReadPart[] = [];
  const find = (pattern: RegExp) => tags.map((tag) => pattern.exec(tag)?.[1]).find((found) => found !== undefined);
  for (const line of text.split('\n')) {
    const [, partSeconds, uri = '', independent, gap] =
      /^#EXT-X-PART:DURATION=([\d.]+),URI="([^"]+)"(,INDEPENDENT=YES)?(,GAP=YES)?/.exec(line) ?? [];
    init = /^#EXT-X-MAP:URI="([^"]+)"/.exec(line)?.[1] ?? init;
    if (partSeconds !== undefined) {
      parts.push({ uri, seconds: Number(partSeconds), independent: independent !== undefined, gap: gap !== undefined });
    } else if (line === '' || line.startsWith('#')) tags.push(line);
    else {
      const discontinuity = tags.includes('#EXT-X-DISCONTINUITY');
      if (discontinuity) discontinuities += 1;
      segments.push({
        msn: mediaSequence + segments.length,
        uri: line,
        seconds: Number(find(/^#EXTINF:([\d.]+)/)),
        gap: tags.includes('#EXT-X-GAP'),
        discontinuity,
        discontinuitySequence: discontinuities,
        programDateTime: find(/^#EXT-X-PROGRAM-DATE-TIME:(.+)/),
        init,
        parts,
      });
      tags = [];
      parts = [];
    }
  }
  return {
    text,
    mediaSequence,
    discontinuitySequence: number(/^#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)$/m),
    targetDuration: number(/^#EXT-X-TARGETDURATION:(\d+)$/m),
    partTarget: number(/PART-TARGET=([\d.]+)/),
    partHoldBack: number(/PART-HOLD-BACK=([\d.]+)/),
    hint: /^#EXT-X-PRELOAD-HINT:TYPE=PART,URI="(.+)"$/m.exec(text)?.[1],
    ended: text.includes('#EXT-X-ENDLIST'),
    segments,
    /** Parts of the segment that is still being filled. */
    open: parts,
  };
}

/**
 * The rules of the standard for parts and durations that a playlist breaks, a sentence each (EXT-X-TARGETDURATION,
 * EXT-X-PART-INF and EXT-X-SERVER-CONTROL, rfc8216bis §4.4.3; EXT-X-PART, §4.4.4.9): a part is at most the part target and at
 * least 85 % of it, except the last of a segment (so the last before a discontinuity too), a missing one, and the one
 * before that. Our own exception is the last before a keyframe.
 */
export function findBrokenRules({ segments, open, targetDuration, partTarget, partHoldBack }: ReadPlaylist): string[] {
  const broken: string[] = [];
  if (partHoldBack < Number((2 * partTarget).toFixed(5))) broken.push(`PART-HOLD-BACK ${partHoldBack} for ${partTarget}`);
  for (const { seconds, uri } of segments) {
    if (Math.round(seconds) > targetDuration) broken.push(`${uri} lasts ${seconds}, the target is ${targetDuration}`);
  }
  for (const parts of [...segments.map((segment) => segment.parts), open]) {
    for (const [index, { uri, seconds, gap }] of parts.entries()) {
      if (seconds > partTarget) broken.push(`${uri} lasts ${seconds}, longer than ${partTarget}`);
      const next = parts[index + 1];
      if (next && !next.independent && !next.gap && !gap && seconds < partTarget * 0.85)
        broken.push(`${uri} lasts ${seconds}, shorter than 85 % of ${partTarget}`);
    }
  }
  return broken;
}
