import { assertNever } from '../../shared/assert-never.ts';
import { slowQueueMs } from '../../shared/upload-queue.ts';

/** The range of the video's bitrate. The audio's `audioBitrateBps` is constant and comes on top. */
export interface BitrateBounds {
  floorBps: number;
  ceilingBps: number;
  audioBitrateBps: number;
}

/** The measurements of the way out. */
export interface WayOut {
  /** How long media has been waiting, in milliseconds. */
  queueMs: number;
  /** The most that it carries, video and audio together; undefined if unknown. */
  limitBps: number | undefined;
}

/** The control's whole memory. Times are of one monotonic clock, in milliseconds. */
export interface BitrateState extends BitrateBounds {
  bitrateBps: number;
  /** A new bitrate is being put into effect; nothing is decided meanwhile. */
  pending: { toBps: number; sinceMs: number } | undefined;
  lastLoweredMs: number | undefined;
  /** When the bitrate is raised unless something waits until then. */
  raiseAtMs: number;
  /** The pause before a raise: it grows with each raise that had to be undone. */
  raisePauseMs: number;
  /** No replacement begins before then: the last one failed. */
  replaceAtMs: number;
  /** The pause after the next failed replacement: it grows with each failure in a row. */
  replacePauseMs: number;
  /** The last raise, until it has lasted long enough to count as successful. */
  raised: { fromBps: number; atMs: number } | undefined;
  /** Measurements before this don't count, since a new connection first sends a whole GOP at once. */
  settledAtMs: number;
  /** Whether the queue at the floor has been reported since the bitrate was last raised. */
  isAtLimit: boolean;
}

export type ControlEvent =
  | ({ kind: 'measured' } & WayOut)
  /** The way was connected, for the first time or again. */
  | { kind: 'connected' }
  | { kind: 'disconnected' }
  /** The encoder uses the new bitrate. */
  | { kind: 'replaced' }
  /** The encoder couldn't be given the new bitrate, and keeps the old one. It is asked again after a pause. */
  | { kind: 'not-replaced' };

export type BitrateDecision =
  | { code: 'lower'; fromBps: number; toBps: number; queueMs: number }
  | { code: 'raise'; fromBps: number; toBps: number }
  /** The queue lasts, and the bitrate is at the floor. */
  | { code: 'at-floor'; bitrateBps: number; queueMs: number };

/** The bitrate is lowered at most this often. */
const lowerEveryMs = 4_000;
/** It is raised only while no more than this is waiting. */
const calmQueueMs = 100;
/** How long the way must be calm before the bitrate is raised, and at most after raises that failed. */
const raisePauseMs = 10_000;
const maxRaisePauseMs = 120_000;
/** How much it is raised at a time: as a share of itself, but not of more than a share of the ceiling. */
const raiseShare = 0.2;
const maxRaiseShare = 0.1;
/** A raise that is followed by a queue within this time has failed. */
const provenMs = 15_000;
/** How much of a limit is used: the rest drains the queue and the media in flight. */
const limitShare = 0.85;
/** How fast the queue should drain. */
const drainMs = 8_000;
/** The deepest and the smallest step down; without a known limit, the smallest. */
const deepestShare = 0.5;
const lightestShare = 0.8;
/** A connection's first media is a whole GOP at once. */
const settleMs = 3_000;
/** An encoder that takes longer for its new bitrate has failed. */
const replaceWithinMs = 25_000;
/**
 * The pause after a failed replacement, and the longest one after several: on a computer too slow for two encoders, each try takes CPU
 * time away from the broadcast.
 */
const replacePauseMs = 2_000;
const maxReplacePauseMs = 120_000;
const stepBps = 10_000;

/** The floor for a chosen bitrate: an eighth of it, which still gives a recognisable picture, and never above the chosen one. */
export function floorFor(ceilingBps: number): number {
  return Math.min(ceilingBps, Math.max(200_000, roundBps(ceilingBps / 8)));
}

/** Whether the last replacement failed: the encoder keeps its bitrate until a replacement works. */
export function isKept(state: BitrateState): boolean {
  return state.replacePauseMs > replacePauseMs;
}

/** The bitrate less what isn't certain to stay: a raise that may still be undone, or is about to be. */
export function provenBps({ bitrateBps, raised, pending }: BitrateState): number {
  return Math.min(bitrateBps, raised?.fromBps ?? bitrateBps, pending?.toBps ?? bitrateBps);
}

/** Begins at the ceiling. */
export function startBitrate(bounds: BitrateBounds, now: number): BitrateState {
  return {
    ...bounds,
    bitrateBps: bounds.ceilingBps,
    pending: undefined,
    lastLoweredMs: undefined,
    raiseAtMs: now + raisePauseMs,
    raisePauseMs,
    replaceAtMs: now,
    replacePauseMs,
    raised: undefined,
    settledAtMs: now,
    isAtLimit: false,
  };
}

/**
 * Returns the next state after an event, and the decision, if any. A new bitrate is `pending` until the encoder has it.
 *
 * The bitrate is never below the floor or above the ceiling, and lowered at most every 4 s.
 */
export function stepBitrate(
  state: BitrateState,
  event: ControlEvent,
  now: number,
): { state: BitrateState; decision?: BitrateDecision } {
  switch (event.kind) {
    case 'connected':
      // Another connection's throughput says nothing about this one. The bitrate and the pauses stay, since failed raises and
      // replacements may fail again.
      return { state: { ...calmFrom(state, now), settledAtMs: now + settleMs, raised: undefined } };
    case 'disconnected':
      return { state: { ...calmFrom(state, now), settledAtMs: Number.POSITIVE_INFINITY, raised: undefined } };
    case 'replaced':
      return { state: putIntoEffect(state, now) };
    case 'not-replaced':
      return { state: keepBitrate(state, now) };
    case 'measured':
      return measured(state, event, now);
    default:
      return assertNever(event);
  }
}

function putIntoEffect(state: BitrateState, now: number): BitrateState {
  const { pending, bitrateBps } = state;
  if (pending === undefined) return state;
  const raised = pending.toBps > bitrateBps ? { fromBps: bitrateBps, atMs: now } : undefined;
  return { ...calmFrom(state, now), bitrateBps: pending.toBps, pending: undefined, replacePauseMs, raised };
}

function keepBitrate(state: BitrateState, now: number): BitrateState {
  const { replacePauseMs: pauseMs } = state;
  const waits = { replaceAtMs: now + pauseMs, replacePauseMs: Math.min(maxReplacePauseMs, pauseMs * 2) };
  return { ...calmFrom(state, now), ...waits, pending: undefined, raised: undefined };
}

/** Restarts the pause: the way must stay calm for all of it. */
function calmFrom(state: BitrateState, now: number): BitrateState {
  return { ...state, raiseAtMs: now + state.raisePauseMs };
}

function measured(before: BitrateState, way: WayOut, now: number): ReturnType<typeof stepBitrate> {
  if (before.pending !== undefined)
    return now - before.pending.sinceMs < replaceWithinMs
      ? { state: before }
      : stepBitrate(before, { kind: 'not-replaced' }, now);
  if (now < before.settledAtMs) return { state: before };
  const calmed = way.queueMs > calmQueueMs ? calmFrom(before, now) : before;
  if (way.queueMs >= slowQueueMs) return lower(calmed, way, now);
  const state = prove(calmed, now);
  const mayRaise = now >= state.raiseAtMs && now >= state.replaceAtMs && state.bitrateBps < state.ceilingBps;
  return mayRaise ? raise(state, now) : { state };
}

/** A raise that lasts has shown that there is room. */
function prove(state: BitrateState, now: number): BitrateState {
  const { raised } = state;
  return raised !== undefined && now - raised.atMs >= provenMs ? { ...state, raised: undefined, raisePauseMs } : state;
}

function lower(state: BitrateState, way: WayOut, now: number): ReturnType<typeof stepBitrate> {
  const { bitrateBps, floorBps, lastLoweredMs, replaceAtMs, isAtLimit, raised } = state;
  if (lastLoweredMs !== undefined && now - lastLoweredMs < lowerEveryMs) return { state };
  const { queueMs } = way;
  const wantedBps = raised?.fromBps ?? roundBps(fitBps(state, way));
  const toBps = Math.max(floorBps, Math.min(bitrateBps, wantedBps));
  if (toBps < bitrateBps && now < replaceAtMs) return { state };
  if (toBps < bitrateBps)
    return {
      state: { ...(raised ? backOff(state) : state), pending: { toBps, sinceMs: now }, lastLoweredMs: now },
      decision: { code: 'lower', fromBps: bitrateBps, toBps, queueMs },
    };
  if (isAtLimit) return { state };
  return { state: { ...state, isAtLimit: true }, decision: { code: 'at-floor', bitrateBps, queueMs } };
}

/** The bitrate that fits the way and drains its queue; without a measured limit a bold step, since each step takes seconds. */
function fitBps({ bitrateBps, audioBitrateBps }: BitrateState, { queueMs, limitBps }: WayOut): number {
  const lightestBps = bitrateBps * lightestShare;
  if (limitBps === undefined) return lightestBps;
  const drainBps = ((bitrateBps + audioBitrateBps) * Math.min(queueMs, drainMs)) / drainMs;
  const roomBps = limitBps * limitShare - audioBitrateBps;
  return Math.min(lightestBps, Math.max(roomBps - drainBps, roomBps * deepestShare));
}

/** The raise was too much: the next one waits twice as long. */
function backOff(state: BitrateState): BitrateState {
  return { ...state, raised: undefined, raisePauseMs: Math.min(maxRaisePauseMs, state.raisePauseMs * 2) };
}

function raise(state: BitrateState, now: number): ReturnType<typeof stepBitrate> {
  const { bitrateBps, ceilingBps } = state;
  const byBps = Math.max(stepBps, roundBps(Math.min(bitrateBps * raiseShare, ceilingBps * maxRaiseShare)));
  const toBps = Math.min(ceilingBps, bitrateBps + byBps);
  return {
    state: { ...state, isAtLimit: false, pending: { toBps, sinceMs: now } },
    decision: { code: 'raise', fromBps: bitrateBps, toBps },
  };
}

function roundBps(bps: number): number {
  return Math.floor(bps / stepBps) * stepBps;
}
