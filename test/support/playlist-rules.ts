import { formatMediaPlaylist } from '../../src/service/hls/playlist/media-playlist.ts';
import type { SegmentStore } from '../../src/service/hls/segment-store.ts';

/** Every version of a store's media playlist that a player could have fetched: none before the first segment is complete. */
export class PlaylistWatch {
  readonly texts: string[] = [];

  constructor(store: SegmentStore) {
    store.onChange(() => {
      if (store.segments.length > 0) this.texts.push(formatMediaPlaylist(store));
    });
  }
}

interface ReadSegment {
  msn: number;
  seconds: number | undefined;
  partSeconds: number[];
  dateMs: number;
  isGap: boolean;
  /** The numbers in its URI and in those of its parts. */
  named: Set<number>;
}

function readSegments(text: string): ReadSegment[] {
  let msn = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
  const segments: ReadSegment[] = [];
  let open: ReadSegment | undefined;
  for (const line of text.split('\n')) {
    const [, date] = /^#EXT-X-PROGRAM-DATE-TIME:(.*)/.exec(line) ?? [];
    if (date !== undefined) {
      open = { msn, seconds: undefined, partSeconds: [], dateMs: Date.parse(date), isGap: false, named: new Set() };
      segments.push(open);
      msn += 1;
    }
    const [, part] = /^#EXT-X-PART:DURATION=([\d.]+)/.exec(line) ?? [];
    if (part !== undefined) open?.partSeconds.push(Number(part));
    const [, number] = /^(?:#EXT-X-PART:.*URI=")?(\d+)(?:-\d+)?\.m4s/.exec(line) ?? [];
    if (number !== undefined) open?.named.add(Number(number));
    const [, seconds] = /^#EXTINF:([\d.-]+)/.exec(line) ?? [];
    if (seconds !== undefined && open) open.seconds = Number(seconds);
    if (open && line === '#EXT-X-GAP') open.isGap = true;
  }
  return segments;
}

/** An EXTINF is rounded to hundredths of a millisecond. */
const roundingSeconds = 5e-6;

/** Whether this playlist has lost segments since the one before, and is shorter than three target durations without them. */
function isShortened(text: string, textBefore: string | undefined): boolean {
  const [first, ...others] = readSegments(text);
  const before = readSegments(textBefore ?? '');
  // Another broadcast begins a new playlist with its own numbers.
  if (first === undefined || !before.slice(1).some(({ msn }) => msn === first.msn)) return false;
  const seconds = [first, ...others].reduce((sum, segment) => sum + (segment.seconds ?? 0), 0);
  return seconds + roundingSeconds * (others.length + 1) < 3 * readTarget(text);
}

const readTarget = (text: string) => Number(/TARGETDURATION:(\d+)/.exec(text)?.[1]);

/**
 * Sentences for each rule of the standard that these media playlists break; they are all versions of one broadcast's playlist, in
 * order. Program date-times may advance by more than a segment's duration, over a pause, but never by less.
 */
export function findBrokenRules(texts: readonly string[]): string[] {
  const broken = new Set<string>();
  const promises = new Set(
    texts.map((text) =>
      text.match(/^#EXT-X-(TARGETDURATION|SERVER-CONTROL|PART-INF|INDEPENDENT-SEGMENTS|VERSION).*$/gm)?.join(' '),
    ),
  );
  if (promises.size > 1) broken.add(`What players follow changed (6.2.1): ${[...promises].join(' | ')}`);
  let newest = { msn: -1, parts: 0 };
  for (const [version, text] of texts.entries()) {
    const target = readTarget(text);
    const partTarget = Number(/PART-TARGET=([\d.]+)/.exec(text)?.[1]);
    const segments = readSegments(text);
    for (const [index, { msn, seconds, partSeconds, dateMs, named }] of segments.entries()) {
      if (named.size !== 1 || !named.has(msn)) broken.add(`Segment ${msn} is named ${[...named]}.`);
      if (seconds !== undefined && !(seconds > 0)) broken.add(`EXTINF ${seconds} of segment ${msn}.`);
      if (seconds !== undefined && Math.round(seconds) > target) broken.add(`EXTINF ${seconds} exceeds ${target} (4.4.3.1).`);
      for (const [part, length] of partSeconds.entries()) {
        if (!(length > 0 && length <= partTarget + 1e-5)) broken.add(`Part of ${length} s, with ${partTarget} (4.4.4.9).`);
        const isLast = part === partSeconds.length - 1;
        if (!isLast && length < 0.85 * partTarget)
          broken.add(`Part ${msn}-${part} of ${length} s is too short for ${partTarget} (4.4.4.9).`);
      }
      const sum = partSeconds.reduce((total, length) => total + length, 0);
      if (seconds !== undefined && sum > seconds + 0.003) broken.add(`Parts of ${sum} s in a segment of ${seconds} s.`);
      const next = segments[index + 1];
      if (next && seconds !== undefined && next.dateMs < dateMs + seconds * 1000 - 2) {
        broken.add(`Segment ${msn} begins at ${dateMs} and lasts ${seconds} s, the next begins at ${next.dateMs}.`);
      }
    }
    const last = segments.at(-1);
    if (last === undefined) continue;
    const ended = text.includes('#EXT-X-ENDLIST');
    if (last.msn < newest.msn && !ended) broken.add(`The newest segment was ${newest.msn}, then ${last.msn}.`);
    if (!ended && isShortened(text, texts[version - 1]))
      broken.add(`Without the segments before ${segments[0]?.msn} less than three times ${target} s are left (6.2.2).`);
    newest = { msn: last.msn, parts: last.partSeconds.length };
  }
  return [...broken];
}
