/** What a media playlist says of a segment. */
export interface PlaylistSegment {
  msn: number;
  durationSeconds: number;
  programDateTimeMs: number;
  discontinuity: boolean;
  discontinuitySequence: number;
  independent: boolean;
  init: { id: string };
}

export interface MediaPlaylist {
  segments: readonly PlaylistSegment[];
  targetDurationSeconds: number;
  ended: boolean;
}

/** The path of a media segment, relative to its media playlist. */
export function formatSegmentUri(msn: number): string {
  return `${msn}.m4s`;
}

/** The path of an init segment, relative to its media playlist. */
export function formatInitUri(id: string): string {
  return `init-${id}.mp4`;
}

/**
 * The text of a live media playlist with at least one segment (RFC 8216 §4.3.2, §4.3.3).
 *
 * Version 6: EXT-X-MAP in a playlist of whole segments (§7). `EXT-X-INDEPENDENT-SEGMENTS` stands as long as it is true.
 */
export function formatMediaPlaylist({ segments, targetDurationSeconds, ended }: MediaPlaylist): string {
  const first = segments[0];
  if (first === undefined) throw new RangeError('A media playlist needs a segment.');
  const lines = ['#EXTM3U', '#EXT-X-VERSION:6', `#EXT-X-TARGETDURATION:${targetDurationSeconds}`];
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first.msn}`);
  // The first segment's own tag still stands below, and counts.
  lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuitySequence - (first.discontinuity ? 1 : 0)}`);
  if (segments.every(({ independent }) => independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  let initId: string | undefined;
  for (const segment of segments) {
    if (segment.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.init.id !== initId) lines.push(`#EXT-X-MAP:URI="${formatInitUri(segment.init.id)}"`);
    initId = segment.init.id;
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(segment.programDateTimeMs)).toISOString()}`);
    lines.push(`#EXTINF:${segment.durationSeconds.toFixed(5)},`, formatSegmentUri(segment.msn));
  }
  if (ended) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}
