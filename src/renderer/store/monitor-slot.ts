import type { ReactNode } from 'react';
import type { AirState, LatencyView, Meters, RenditionView } from '../../shared/model/live.ts';

/** What Studio tells the monitor it has room for. */
export interface MonitorSlot {
  streamId: string;
  /** The public playback as this page reaches it. */
  playbackUrl: string;
  air: AirState;
  isSuspended: boolean;
  /** What to say in the picture's place off air, where there is more to say than that. */
  offAirNews: { title: string; sentence: string; action: ReactNode } | undefined;
  /** Whether one click cannot reach the ingest, and tries again. */
  isRetrying: boolean;
  meters: Meters | undefined;
  renditions: readonly RenditionView[];
  latency: LatencyView | undefined;
}
