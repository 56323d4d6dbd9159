import { weighDropped } from '../../shared/dropped-frames.ts';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { AirState, Meters, OneClickState, RenditionView, Severity } from '../../shared/model/live.ts';
import type { Sleep } from '../../shared/model/sleep.ts';
import { failingQueueMs, slowQueueMs } from '../../shared/upload-queue.ts';
import type { WatchedPlayback } from './play-reports.ts';
import { describeSent } from './sent-meters.ts';
import type { SoundTrouble } from './sound-judge.ts';

/** Pauses in which viewers see their picture freeze because nothing arrives, and how long they lasted together. */
export interface PauseSums {
  count: number;
  seconds: number;
  /** The publisher was gone in each of these pauses. */
  areLosses?: true;
}

/** The input of stages and verdict. Times are Unix milliseconds. */
export interface HealthFacts {
  now: number;
  air: AirState;
  oneClick: OneClickState;
  meters: Meters | undefined;
  /** When media last arrived. */
  lastMediaAt: number | undefined;
  /** The frame rate that the publisher announces. */
  nominalFps: number | undefined;
  /** How fast its media arrives, as a multiple of real time; 1 if unknown. The measured frame rate is per second of arrival. */
  pace?: number;
  /** The pauses of the last minute in which nothing arrived, from any publisher. */
  pauses?: PauseSums;
  /** How late the publisher's sound is by now, in milliseconds, negative if early; undefined while it is with the picture. */
  driftMs?: number | undefined;
  /** The current segment length in seconds. */
  typicalSegmentSeconds: number | undefined;
  /** The state of the renditions. */
  renditions: readonly RenditionView[];
  /** The region that the broadcast is sent to, if that is another computer. */
  region?: string | undefined;
  /** The region belongs to a remote service. */
  ofService?: true;
  /** The reports of the monitors on open pages. */
  playback: readonly WatchedPlayback[];
  /** The troubles with the sound that arrives, the worst first. */
  sound?: readonly SoundTrouble[];
  /** The owner has said that the silence is intended. */
  isSilenceMeant?: boolean;
  /** Two publishers keep replacing each other. */
  takeTurns?: boolean;
  /** The computer has slept and just woken up. */
  slept?: Sleep | undefined;
  /** The page that asks, so that its own monitor can be told from others; undefined if no page asks. */
  pageId: string | undefined;
}

/** Whether one click can make a smaller picture. */
export function canShrink({ settings }: Extract<OneClickState, { kind: 'running' }>): boolean {
  return settings.width * settings.height * settings.fps > smallestPixelsPerSecond;
}
const { width, height, fps } = encodePresets['720p30'];
const smallestPixelsPerSecond = width * height * fps;

/** Whether at least one rendition is being made. */
export function hasRenditions({ renditions }: Pick<HealthFacts, 'renditions'>): boolean {
  return renditions.some(({ state }) => state === 'running' || state === 'waiting');
}

/** If the newest media is older than this, nothing arrives. */
export const lastSeenBadMs = 3_000;
/** Three segments of 6 s, the longest that are common. */
const playedElsewhereMs = 20_000;
/** Warn below this: the frame rate as a share of the nominal rate, or the pace as a multiple of real time. */
export const fpsWarnRatio = 0.95;
/** Bad below this, in the same units. */
export const fpsBadRatio = 0.8;
/** At this pace, players jump more often than they can be watched. */
export const paceBadRatio = 1.25;
/** Whether media that arrives at this pace lets viewers stall. */
export function isSlow(pace: number): boolean {
  return pace < fpsWarnRatio;
}

/**
 * With a keyframe interval longer than this, in seconds, players start late and lag. It is a little more than 4: at 29.97 fps,
 * encoders that are set to 4 s put keyframes 4.004 s apart.
 */
export const keyframeWarnSeconds = 4.1;
/** With an interval longer than this, viewers who join leave before they see anything. */
export const keyframeBadSeconds = 20;

/**
 * How fast our own ffmpeg encodes, as a multiple of real time; undefined until known. An encoder that can't keep up skips frames,
 * so the frames that it does make may well be in time.
 */
export function encodePace({ oneClick }: Pick<HealthFacts, 'oneClick'>): number | undefined {
  if (oneClick.kind !== 'running' || oneClick.encodeSpeed === undefined) return undefined;
  const { encodeSpeed, encodeFps = oneClick.settings.fps, settings } = oneClick;
  return Math.min(encodeSpeed, encodeFps / settings.fps);
}

/** How badly our own ffmpeg falls behind real time. Below real-time speed the lag only grows; missed frames alone don't add to it. */
export function weighEncode(facts: Pick<HealthFacts, 'oneClick'>): Severity {
  const { oneClick } = facts;
  const pace = encodePace(facts) ?? 1;
  if (oneClick.kind !== 'running' || pace >= fpsWarnRatio) return 'good';
  return pace < fpsBadRatio || (oneClick.encodeSpeed ?? 1) < fpsWarnRatio ? 'bad' : 'warn';
}

/** Whether media waits to be sent from here, and how badly. */
export function weighQueue({ oneClick }: Pick<HealthFacts, 'oneClick'>): Severity {
  if (oneClick.kind !== 'running' || oneClick.queueMs < slowQueueMs) return 'good';
  return oneClick.queueMs < failingQueueMs ? 'warn' : 'bad';
}

/** Whether the upload dropped so much of the last minute that the number of dropped frames is a warning. */
export function wasMissed({ oneClick, now }: Pick<HealthFacts, 'oneClick' | 'now'>): boolean {
  return weighDropped(describeSent(oneClick, now)?.droppedFrames?.ratio ?? 0) !== 'good';
}

/** Whether the monitors' reports on a broadcast can be trusted: its media arrives, as far as can be seen from here. */
export function isSeenArriving(air: AirState): boolean {
  return air.kind === 'on-air' && air.silentSince === undefined && air.unseenSince === undefined;
}

/** Whether a broadcast elsewhere has been on air, and sent steadily, for longer than players are behind there. */
export function isSteadyElsewhere({ air, oneClick, now }: Pick<HealthFacts, 'air' | 'oneClick' | 'now'>): boolean {
  const sentSince = oneClick.kind === 'running' ? oneClick.steadySince : 0;
  return air.kind === 'on-air' && now - Math.max(air.since, sentSince) >= playedElsewhereMs;
}
