/** Position of the playhead in the playable window, in seconds of the player's own clock. */
export interface Timeline {
  /** The oldest moment still available. */
  startSeconds: number;
  /** The position of a player at the live edge: the edge minus the hold-back. */
  liveSeconds: number;
  positionSeconds: number;
  /** How far the player may fall behind live before it jumps there. */
  slackSeconds: number;
}

/** A playhead closer to live than this counts as live, in seconds. */
const liveToleranceSeconds = 1;
/** How far a seek stays from the oldest moment, in seconds: that moment may be gone before it loads. */
const startMarginSeconds = 2;

/** How far the playhead is behind live, in seconds; 0 within the tolerance. */
export function measureBehind({ liveSeconds, positionSeconds }: Timeline): number {
  const behind = liveSeconds - positionSeconds;
  return behind <= liveToleranceSeconds ? 0 : behind;
}

/** How far one can rewind from live, in seconds. */
export function measureWindow({ startSeconds, liveSeconds }: Timeline): number {
  return Math.max(0, liveSeconds - startSeconds - startMarginSeconds);
}

/** Whether the playhead's moment is still available, or newer than live. */
export function isInWindow({ startSeconds, positionSeconds }: Timeline): boolean {
  return positionSeconds >= startSeconds;
}

/** The position `behindSeconds` behind live, clamped to the window. */
export function findPosition(timeline: Timeline, behindSeconds: number): number {
  return timeline.liveSeconds - Math.min(Math.max(0, behindSeconds), measureWindow(timeline));
}

/** A segment in the player's playlist; `programDateTime` is epoch milliseconds. */
interface DatedSegment {
  start: number;
  duration: number;
  programDateTime: number | null;
}

/** The position of the moment `dateMs` (epoch milliseconds), by program date-times; undefined if no longer available. */
export function findDate(segments: readonly (DatedSegment | null)[], dateMs: number): number | undefined {
  for (const segment of segments) {
    if (segment === null || segment.programDateTime === null) continue;
    const offsetSeconds = (dateMs - segment.programDateTime) / 1000;
    if (offsetSeconds >= 0 && offsetSeconds < segment.duration) return segment.start + offsetSeconds;
  }
  return undefined;
}

/** A time behind live as a clock: `−0:32`, `−1:02:05`. */
export function formatBehind(behindSeconds: number): string {
  const seconds = Math.round(behindSeconds);
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `−${hours > 0 ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`;
}
