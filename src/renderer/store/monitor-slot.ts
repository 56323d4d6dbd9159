import type { ReactNode } from 'react';
import type { AirState, LatencyView, Meters, OneClickKind, RenditionView } from '../../shared/model/live.ts';

/** The data that Studio passes to the monitor. */
export interface MonitorSlot {
  streamId: string;
  /** The public playback URL as this page reaches it; undefined until a remote service has told its nearest region. */
  playbackUrl: string | undefined;
  air: AirState;
  isSuspended: boolean;
  /** Whether another computer makes the playlist: a region's or a remote service's. */
  isElsewhere: boolean;
  oneClick: OneClickKind;
  /** How far the clock of the computer that makes it is ahead of our service's, in milliseconds. */
  clockAheadMs: number;
  /** Whether its service isn't heard, so its state isn't known. */
  isUnheard: boolean;
  /** Off-air news to show in place of the picture, if any. */
  offAirNews: { title: string; sentence: string; action: ReactNode } | undefined;
  /** A note to show while the monitor's sound is on, if any. */
  whileHeard: ReactNode;
  meters: Meters | undefined;
  renditions: readonly RenditionView[];
  latency: LatencyView | undefined;
}
