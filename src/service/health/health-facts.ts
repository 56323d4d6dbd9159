import type { AirState, EncodeQuality, Meters, OneClickState, RenditionView } from '../../shared/model/live.ts';
import type { Sleep } from '../../shared/model/sleep.ts';
import type { WatchedPlayback } from './play-reports.ts';

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
  /** How long segments are at present, in seconds. */
  typicalSegmentSeconds: number | undefined;
  /** What the renditions are doing. */
  renditions: readonly RenditionView[];
  /** What the monitors of open pages see. */
  playback: readonly WatchedPlayback[];
  /** Two encoders take each other's place again and again. */
  takeTurns?: boolean;
  /** The computer has slept, and woken a moment ago. */
  slept?: Sleep | undefined;
  /** The page that asks: its own monitor is called its own. Undefined for what no page asks for. */
  pageId: string | undefined;
}

/** What one click cannot make smaller. */
export const smallestQuality: EncodeQuality = '720p30';

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

/** ffmpeg tells its average speed since it began: starting up takes from that for this long. */
const encodeSettlesMs = 5_000;

/** Whether our own ffmpeg encodes more slowly than real time. */
export function isEncodingSlowly({ oneClick, now }: Pick<HealthFacts, 'oneClick' | 'now'>): boolean {
  if (oneClick.kind !== 'running' || oneClick.encodeSpeed === undefined) return false;
  return oneClick.encodeSpeed < 0.95 && now - oneClick.since > encodeSettlesMs;
}
