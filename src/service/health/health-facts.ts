import type { AirState, Meters, OneClickState, RenditionView } from '../../shared/model/live.ts';

/** Everything that stages and verdict are drawn from. Times are epoch milliseconds. */
export interface HealthFacts {
  now: number;
  air: AirState;
  oneClick: OneClickState;
  meters: Meters | undefined;
  /** When media last arrived. */
  lastMediaAt: number | undefined;
  /** The frame rate that the encoder says it makes. */
  nominalFps: number | undefined;
  /** How long segments are at present, in seconds, and how many the session has. */
  typicalSegmentSeconds: number | undefined;
  sessionSegments: number;
  /** Segments of all renditions in the session, and what the renditions are doing. */
  transcodedSegments: number;
  renditions: readonly RenditionView[];
}

/** Media older than this means that nothing arrives. */
export const lastSeenBadMs = 3_000;
/** Encoded media waiting to be sent: from here tight, from there failing. */
export const queueWarnMs = 200;
export const queueBadMs = 700;
/** Frames per second below this part of the nominal rate. */
export const fpsWarnRatio = 0.95;
export const fpsBadRatio = 0.8;
/** Keyframes further apart than this make players start late and lag. */
export const keyframeWarnSeconds = 4;
