import type { MonitorPhase } from './recovery.ts';
import type { Timeline } from './timeline.ts';

/** What the monitor shows around the picture. */
export interface PlayerView {
  phase: MonitorPhase;
  /** Height of the picture in pixels. */
  heightPixels?: number;
  /** The rendition being loaded. */
  playing?: string;
  /** The rendition the viewer chose; absent while the player chooses. */
  chosen?: string;
  /** The names of the renditions that this browser can't decode; absent without any, and while that is unknown. */
  undecodable?: readonly string[];
  /** Absent until there is something to play. */
  timeline?: Timeline;
  /** Whether the current player has shown a frame or, for sound only, has played: the kept picture is no longer needed. */
  hasShown?: true;
  /** Whether the playhead should stay at the live edge: the viewer has neither rewound nor paused. */
  isFollowing: boolean;
  /**
   * The program date-time of the current frame (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6), and when it was read by the
   * page's clock, both epoch milliseconds. Only at live.
   */
  shown?: { dateMs: number; atMs: number };
  /** Media buffered ahead of the current frame, in milliseconds. */
  bufferMs?: number;
}
