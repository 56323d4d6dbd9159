import { formatPartTarget, formatServerControl, skipTargetDurations } from './server-control.ts';

/** What a media playlist says of a part. */
export interface PlaylistPart {
  durationSeconds: number;
  independent: boolean;
  /** The rendition does not have it. */
  gap?: boolean;
}

/** What a media playlist says of a segment that is being filled. */
export interface PlaylistOpenSegment {
  msn: number;
  programDateTimeMs: number;
  discontinuity: boolean;
  discontinuitySequence: number;
  init: { id: string };
  parts: readonly PlaylistPart[];
  /** After how many of its parts it was known that the rendition does not have it, or not all of it. */
  gapAfter?: number;
}

/** What a media playlist says of a segment. */
export interface PlaylistSegment extends PlaylistOpenSegment {
  durationSeconds: number;
  /** The rendition does not have it. */
  gap?: boolean;
}

/** How far another rendition is (EXT-X-RENDITION-REPORT, rfc8216bis §4.4.5.4). */
export interface RenditionReport {
  uri: string;
  lastMsn: number;
  lastPart: number | undefined;
}

export interface MediaPlaylist {
  segments: readonly PlaylistSegment[];
  /** The segment after those, as far as it is there. */
  open?: PlaylistOpenSegment | undefined;
  targetDurationSeconds: number;
  /** No part is longer; undefined where the playlist has no parts. */
  partTargetSeconds?: number | undefined;
  /** How many of the newest segments are offered in parts too. */
  partSegments?: number;
  /** Whether the next part will come, for all that is known: false where the rendition is not made for now. */
  expectsPart?: boolean;
  /** The number of the segment that is begun next, when none is open. */
  nextMediaSequence?: number;
  ended: boolean;
}

export interface MediaPlaylistOptions {
  reports?: readonly RenditionReport[];
  /** A delta update: the segments before the skip boundary are left out (EXT-X-SKIP, rfc8216bis §4.4.5.2). */
  delta?: boolean;
}

/** The path of a media segment, relative to its media playlist. */
export function formatSegmentUri(msn: number): string {
  return `${msn}.m4s`;
}

/** The path of a part, relative to its media playlist. */
export function formatPartUri(msn: number, index: number): string {
  return `${msn}-${index}.m4s`;
}

/** The path of an init segment, relative to its media playlist. */
export function formatInitUri(id: string): string {
  return `init-${id}.mp4`;
}

/**
 * The text of a live media playlist with at least one segment (rfc8216bis §4.4.3 to §4.4.5).
 *
 * Version 9: delta updates, and EXT-X-GAP (§8). `EXT-X-INDEPENDENT-SEGMENTS` would be a promise for segments to come, which no
 * encoder gives: parts say `INDEPENDENT=YES` each for itself.
 */
export function formatMediaPlaylist(
  playlist: MediaPlaylist,
  { reports = [], delta = false }: MediaPlaylistOptions = {},
): string {
  const { segments, open, targetDurationSeconds, partTargetSeconds, ended } = playlist;
  const first = segments[0];
  if (first === undefined) throw new RangeError('A media playlist needs a segment.');
  const lines = ['#EXTM3U', '#EXT-X-VERSION:9', `#EXT-X-TARGETDURATION:${targetDurationSeconds}`];
  lines.push(formatServerControl(targetDurationSeconds, partTargetSeconds));
  if (partTargetSeconds !== undefined) lines.push(`#EXT-X-PART-INF:PART-TARGET=${formatPartTarget(partTargetSeconds)}`);
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first.msn}`);
  // The first segment's own tag still stands below, and counts.
  lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuitySequence - (first.discontinuity ? 1 : 0)}`);
  const skipped = delta ? countSkipped(playlist) : 0;
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  // Whoever plays to the end takes whole segments: hls.js waits for ever where the last part has less sound than picture, or was
  // first heard of at the end.
  const partsFrom = segments.length - (ended ? 0 : (playlist.partSegments ?? 0));
  let initId: string | undefined;
  const head = (segment: PlaylistOpenSegment) => {
    if (segment.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.init.id !== initId) lines.push(`#EXT-X-MAP:URI="${formatInitUri(segment.init.id)}"`);
    initId = segment.init.id;
  };
  for (const [index, segment] of segments.slice(skipped).entries()) {
    head(segment);
    if (index + skipped >= partsFrom && partTargetSeconds !== undefined) {
      lines.push(formatProgramDateTime(segment));
      const { gap, gapAfter = segment.parts.length } = segment;
      pushParts(lines, segment, gap ? gapAfter : undefined);
      lines.push(formatEnd(segment));
    } else {
      lines.push(shareSegmentText(segment));
    }
  }
  if (ended) {
    lines.push('#EXT-X-ENDLIST');
    return `${lines.join('\n')}\n`;
  }
  if (open !== undefined && open.parts.length > 0) {
    head(open);
    lines.push(formatProgramDateTime(open));
    pushParts(lines, open, open.gapAfter);
  }
  if (partTargetSeconds !== undefined && playlist.expectsPart !== false) {
    const hint = open ? formatPartUri(open.msn, open.parts.length) : formatPartUri(playlist.nextMediaSequence ?? 0, 0);
    lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${hint}"`);
  }
  for (const report of reports) lines.push(formatReport(report));
  return `${lines.join('\n')}\n`;
}

/** The lines of segments without parts: a window of hours holds thousands of them, and none of them changes. */
const segmentTexts = new WeakMap<PlaylistSegment, string>();

function shareSegmentText(segment: PlaylistSegment): string {
  const known = segmentTexts.get(segment);
  if (known !== undefined) return known;
  const text = `${formatProgramDateTime(segment)}\n${formatSegment(segment)}`;
  segmentTexts.set(segment, text);
  return text;
}

function formatProgramDateTime({ programDateTimeMs }: PlaylistOpenSegment): string {
  return `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(programDateTimeMs)).toISOString()}`;
}

function formatSegment(segment: PlaylistSegment): string {
  return `${segment.gap ? '#EXT-X-GAP\n' : ''}${formatEnd(segment)}`;
}

function formatEnd({ durationSeconds, msn }: PlaylistSegment): string {
  return `#EXTINF:${durationSeconds.toFixed(5)},\n${formatSegmentUri(msn)}`;
}

/** That the segment is a gap stands where it was first said: players are to hear of it before the segment is over. */
function pushParts(lines: string[], { msn, parts }: PlaylistOpenSegment, gapAfter: number | undefined): void {
  for (const [index, { durationSeconds, independent, gap }] of parts.entries()) {
    if (index === gapAfter) lines.push('#EXT-X-GAP');
    const attributes = `DURATION=${durationSeconds.toFixed(5)},URI="${formatPartUri(msn, index)}"`;
    lines.push(`#EXT-X-PART:${attributes}${independent ? ',INDEPENDENT=YES' : ''}${gap ? ',GAP=YES' : ''}`);
  }
  if (gapAfter === parts.length) lines.push('#EXT-X-GAP');
}

function formatReport({ uri, lastMsn, lastPart }: RenditionReport): string {
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${lastMsn}${lastPart === undefined ? '' : `,LAST-PART=${lastPart}`}`;
}

/** Segments that end further from the end of the playlist than the skip boundary (rfc8216bis §6.2.5.1). */
function countSkipped({ segments, open, targetDurationSeconds, ended }: MediaPlaylist): number {
  if (ended) return 0;
  let seconds = open?.parts.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0) ?? 0;
  let skipped = segments.length;
  while (skipped > 0 && seconds <= skipTargetDurations * targetDurationSeconds) {
    skipped -= 1;
    seconds += segments[skipped]?.durationSeconds ?? 0;
  }
  return skipped;
}
