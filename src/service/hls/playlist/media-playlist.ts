import { formatPartTarget, formatServerControl, skipTargetDurations } from './server-control.ts';

/** A part as a media playlist lists it. */
export interface PlaylistPart {
  durationSeconds: number;
  independent: boolean;
  /** The rendition does not have it. */
  gap?: boolean;
}

/** The open segment as a media playlist lists it. */
export interface PlaylistOpenSegment {
  msn: number;
  programDateTimeMs: number;
  discontinuity: boolean;
  discontinuitySequence: number;
  init: { id: string };
  parts: readonly PlaylistPart[];
  /** After this many of its parts, the segment was known to be a gap or not whole. */
  gapAfter?: number;
}

/** A segment as a media playlist lists it. */
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
  /** The segment after those, as far as it has been made. */
  open?: PlaylistOpenSegment | undefined;
  targetDurationSeconds: number;
  /** The longest part; undefined if the playlist has no parts. */
  partTargetSeconds?: number | undefined;
  /** How many of the newest segments are offered in parts too. */
  partSegments?: number;
  /** Whether the next part will come, as far as is known: false while the rendition is not made. */
  expectsPart?: boolean;
  /** The number of the next segment, if none is open. */
  nextMediaSequence?: number;
  ended: boolean;
}

export interface MediaPlaylistOptions {
  reports?: readonly RenditionReport[];
  /** A delta update: the segments before the skip boundary are left out (EXT-X-SKIP, rfc8216bis §4.4.5.2). */
  delta?: boolean;
}

/** The path of a media segment, relative to its media playlist. */
function formatSegmentUri(msn: number): string {
  return `${msn}.m4s`;
}

/** The path of a part, relative to its media playlist. */
function formatPartUri(msn: number, index: number): string {
  return `${msn}-${index}.m4s`;
}

/** The path of an init segment, relative to its media playlist. */
function formatInitUri(id: string): string {
  return `init-${id}.mp4`;
}

/**
 * The text of a live media playlist with at least one segment (rfc8216bis §4.4.3 to §4.4.5).
 *
 * Version 9: delta updates, and EXT-X-GAP (§8). `EXT-X-INDEPENDENT-SEGMENTS` would promise something about future segments, which no
 * encoder guarantees: each part says `INDEPENDENT=YES` for itself.
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
  // The first segment's own tag is still below, and counts.
  lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuitySequence - (first.discontinuity ? 1 : 0)}`);
  const skipped = delta ? countSkipped(playlist) : 0;
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  // At the end there are whole segments only: hls.js never ends if the last part has less audio than video, or appears only then.
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

/** The lines of segments without parts: a window of hours has thousands of them, and they never change. */
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
  return `#EXTINF:${formatSeconds(durationSeconds)},\n${formatSegmentUri(msn)}`;
}

/** EXT-X-GAP keeps its position among the parts: players must see it before the segment is over. */
function pushParts(lines: string[], { msn, parts }: PlaylistOpenSegment, gapAfter: number | undefined): void {
  for (const [index, { durationSeconds, independent, gap }] of parts.entries()) {
    if (index === gapAfter) lines.push('#EXT-X-GAP');
    const attributes = `DURATION=${formatSeconds(durationSeconds)},URI="${formatPartUri(msn, index)}"`;
    lines.push(`#EXT-X-PART:${attributes}${independent ? ',INDEPENDENT=YES' : ''}${gap ? ',GAP=YES' : ''}`);
  }
  if (gapAfter === parts.length) lines.push('#EXT-X-GAP');
}

function formatReport({ uri, lastMsn, lastPart }: RenditionReport): string {
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${lastMsn}${lastPart === undefined ? '' : `,LAST-PART=${lastPart}`}`;
}

/**
 * How many segments a delta update leaves out: those that end further from the end of the last complete segment than the skip boundary
 * (rfc8216bis §6.2.5.1). The parts of the open segment don't count. AVPlayer adds up the durations after `EXT-X-SKIP` as they are written,
 * and refuses an update that keeps less than the boundary.
 */
function countSkipped({ segments, targetDurationSeconds, ended }: MediaPlaylist): number {
  if (ended) return 0;
  let seconds = 0;
  let skipped = segments.length;
  while (skipped > 0 && seconds <= skipTargetDurations * targetDurationSeconds) {
    skipped -= 1;
    seconds += Number(formatSeconds(segments[skipped]?.durationSeconds ?? 0));
  }
  return skipped;
}

/** A duration as it is written in EXTINF and EXT-X-PART. */
function formatSeconds(seconds: number): string {
  return seconds.toFixed(5);
}
