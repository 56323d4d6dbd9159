import { Events, type default as Hls, type LevelDetails } from 'hls.js';

type PlaylistPart = NonNullable<LevelDetails['partList']>[number];

/** How far a part may reach beyond the buffer and still count as buffered, in seconds: a frame. */
const toleranceSeconds = 0.1;

/**
 * Keeps hls.js loading after it has changed to another rendition in mid-segment.
 *
 * hls.js 1.7 begins the other rendition at its newest part with a keyframe. If that isn't the first part of its segment, hls.js stops
 * for good at the segment's end: it waits for the parts before, which it doesn't load, since the buffer has that time from the
 * rendition before. (It gets past if the buffer ends where the playlist says. With frames of 1/30 s, Chromium's buffer ends a microsecond
 * earlier.) So those parts are marked as gaps, which hls.js doesn't wait for.
 */
export function passCoveredParts(hls: Pick<Hls, 'on'>, video: Pick<HTMLVideoElement, 'buffered'>): void {
  hls.on(Events.LEVEL_UPDATED, (_event, { details }) => {
    for (const part of findCovered(details.partList ?? [], video.buffered)) part.gap = true;
  });
}

/** The parts that were not loaded, though a later one of their segment was and the buffer has their time. */
function findCovered(parts: readonly PlaylistPart[], buffered: TimeRanges): PlaylistPart[] {
  const ranges = Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)] as const);
  const isBuffered = ({ start, end }: PlaylistPart) =>
    ranges.some(([from, to]) => from <= start + toleranceSeconds && end <= to + toleranceSeconds);
  return parts.filter(
    (part, index) =>
      !part.loaded &&
      isBuffered(part) &&
      parts.slice(index + 1).some((later) => later.loaded && later.fragment === part.fragment),
  );
}
