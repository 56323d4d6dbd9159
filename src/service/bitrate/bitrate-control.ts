import { assertNever } from '../../shared/assert-never.ts';
import { slowQueueMs } from '../../shared/upload-queue.ts';

/** Between which bitrates of the video it moves; `audioBitrateBps` is sent beside it, unchanged. */
export interface BitrateBounds {
  floorBps: number;
  ceilingBps: number;
  audioBitrateBps: number;
}

/** What is known of one of the ways out that share an encode. */
export interface WayOut {
  /** How long media has been waiting, in milliseconds. */
  queueMs: number;
  /** What it carries at most, video and audio together; undefined if that isn't known. */
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
  /** The pause before a raise: it grows with each one that had to be taken back. */
  raisePauseMs: number;
  /** No replacement begins before then: the last one failed. */
  replaceAtMs: number;
  /** The pause after the next replacement that fails: it grows with each one in a row. */
  replacePauseMs: number;
  /** The last raise, until it has proved itself. */
  raised: { fromBps: number; atMs: number } | undefined;
  /** Measurements count from then on: a new connection first sends a whole GOP at once. */
  settledAtMs: number;
  /** Whether the queue at the floor has been reported since the bitrate was last raised. */
  isAtLimit: boolean;
}

export type ControlEvent =
  /** Every way that is connected was measured. */
  | { kind: 'measured'; ways: readonly WayOut[] }
  /** A way was connected, for the first time or again. */
  | { kind: 'connected' }
  /** No way is connected. */
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
/** How much of a limit is used: the rest drains what is waiting, and what is still in the air. */
const limitShare = 0.85;
/** How fast the queue should drain. */
const drainMs = 8_000;
/** The most and the least that it is lowered by; without a known limit, the least. */
const deepestShare = 0.5;
const lightestShare = 0.8;
/** A connection's first media is a whole GOP at once. */
const settleMs = 3_000;
/** An encoder that takes longer for its new bitrate has failed. */
const replaceWithinMs = 25_000;
/**
 * How long a replacement that failed isn't tried again, and at most after several: on a computer that is too slow for two encoders each
 * one costs what the broadcast needs.
 */
const replacePauseMs = 2_000;
const maxReplacePauseMs = 120_000;
const stepBps = 10_000;

/** The lowest bitrate for a chosen one: an eighth of it, which is still a picture, but not more than is chosen. */
export function floorFor(ceilingBps: number): number {
  return Math.min(ceilingBps, Math.max(200_000, roundBps(ceilingBps / 8)));
}

/** Whether the last replacement failed: the encoder keeps its bitrate, until one works. */
export function isKept(state: BitrateState): boolean {
  return state.replacePauseMs > replacePauseMs;
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
 * What follows an event: the next state, and the decision, if any. A new bitrate is `pending` until the encoder has it.
 *
 * The slowest way decides for all that share the encode. The bitrate is never below the floor or above the ceiling, and lowered at
 * most every 4 s.
 */
export function stepBitrate(
  state: BitrateState,
  event: ControlEvent,
  now: number,
): { state: BitrateState; decision?: BitrateDecision } {
  switch (event.kind) {
    case 'connected':
      // What another connection carried says nothing about this one; the bitrate stays, and what failed may fail again.
      return { state: { ...calmFrom(state, now), settledAtMs: now + settleMs, raised: undefined } };
    case 'disconnected':
      return { state: { ...calmFrom(state, now), settledAtMs: Number.POSITIVE_INFINITY, raised: undefined } };
    case 'replaced':
      return { state: putIntoEffect(state, now) };
    case 'not-replaced':
      return { state: keepBitrate(state, now) };
    case 'measured':
      return measured(state, event.ways, now);
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

/** The way has to be calm for the whole pause from now on. */
function calmFrom(state: BitrateState, now: number): BitrateState {
  return { ...state, raiseAtMs: now + state.raisePauseMs };
}

function measured(
  before: BitrateState,
  ways: readonly WayOut[],
  now: number,
): { state: BitrateState; decision?: BitrateDecision } {
  if (before.pending !== undefined)
    return now - before.pending.sinceMs < replaceWithinMs
      ? { state: before }
      : stepBitrate(before, { kind: 'not-replaced' }, now);
  if (now < before.settledAtMs || ways.length === 0) return { state: before };
  const queueMs = Math.max(...ways.map((way) => way.queueMs));
  const calmed = queueMs > calmQueueMs ? calmFrom(before, now) : before;
  if (queueMs >= slowQueueMs) return lower(calmed, findNarrowest(calmed, ways), now);
  const state = prove(calmed, now);
  const mayRaise = now >= state.raiseAtMs && now >= state.replaceAtMs && state.bitrateBps < state.ceilingBps;
  return mayRaise ? raise(state, now) : { state };
}

/** A raise that lasts has shown that there is room. */
function prove(state: BitrateState, now: number): BitrateState {
  const { raised } = state;
  return raised !== undefined && now - raised.atMs >= provenMs ? { ...state, raised: undefined, raisePauseMs } : state;
}

/** Of the ways with a queue, the one that takes the least. */
function findNarrowest(state: BitrateState, ways: readonly WayOut[]): WayOut {
  return ways
    .filter(({ queueMs }) => queueMs >= slowQueueMs)
    .reduce((narrowest, way) => (fitBps(state, way) < fitBps(state, narrowest) ? way : narrowest));
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
      state: { ...(raised ? backOff(state, now) : state), pending: { toBps, sinceMs: now }, lastLoweredMs: now },
      decision: { code: 'lower', fromBps: bitrateBps, toBps, queueMs },
    };
  if (isAtLimit) return { state };
  return { state: { ...state, isAtLimit: true }, decision: { code: 'at-floor', bitrateBps, queueMs } };
}

/** What the way carries, less what is waiting; without a measured limit a bold step, since each one takes seconds. */
function fitBps({ bitrateBps, audioBitrateBps }: BitrateState, { queueMs, limitBps }: WayOut): number {
  const lightestBps = bitrateBps * lightestShare;
  if (limitBps === undefined) return lightestBps;
  const drainBps = ((bitrateBps + audioBitrateBps) * Math.min(queueMs, drainMs)) / drainMs;
  const roomBps = limitBps * limitShare - audioBitrateBps;
  return Math.min(lightestBps, Math.max(roomBps - drainBps, roomBps * deepestShare));
}

/** A raise that is taken back was too much: the next one waits twice as long. */
function backOff(state: BitrateState, now: number): BitrateState {
  const pauseMs = Math.min(maxRaisePauseMs, state.raisePauseMs * 2);
  return { ...state, raised: undefined, raisePauseMs: pauseMs, raiseAtMs: now + pauseMs };
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
