import type { CaptureStamp } from '../../src/service/media/capture-stamp.ts';
import { findCaptureStamp } from '../../src/service/media/h264-capture-stamp.ts';
import { readSegment } from './read-segment.ts';

/** A complete segment of a media playlist, with its program date-time in epoch milliseconds. */
export interface DatedSegment {
  url: string;
  dateMs: number;
  seconds: number;
}

/** Reads the complete segments of a media playlist in which each has a program date-time. */
export async function fetchDatedSegments(playlistUrl: string): Promise<DatedSegment[]> {
  const text = await (await fetch(playlistUrl)).text();
  const segments: DatedSegment[] = [];
  let head = '';
  for (const line of text.split('\n')) {
    head += `${line}\n`;
    if (line === '' || line.startsWith('#')) continue;
    const [, date = ''] = /#EXT-X-PROGRAM-DATE-TIME:(\S+)/.exec(head) ?? [];
    const seconds = Number(/#EXTINF:([\d.]+)/.exec(head)?.[1]);
    segments.push({ url: new URL(line, playlistUrl).href, dateMs: Date.parse(date), seconds });
    head = '';
  }
  return segments;
}

/**
 * How often a playlist's program date-times have moved, as they do after a publisher that is late: on a busy computer ours is. shaka-player
 * places segments by them, and has a gap there.
 */
export async function countMovedDates(playlistUrl: string): Promise<number> {
  const segments = await fetchDatedSegments(playlistUrl);
  return segments.filter(({ dateMs }, index) => {
    const before = segments[index - 1];
    return before !== undefined && Math.abs(dateMs - before.dateMs - before.seconds * 1000) > 5;
  }).length;
}

/** The capture time that a segment's first picture carries. */
export async function fetchStamp({ url }: DatedSegment): Promise<CaptureStamp | undefined> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const [picture] = readSegment(bytes).get(1) ?? [];
  return picture && findCaptureStamp(picture.data, 4);
}
