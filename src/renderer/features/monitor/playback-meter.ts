import { recentStallMs } from '../../../shared/stalls.ts';

/** One look at the picture; frame counts are those of `getVideoPlaybackQuality`. */
export interface PlaybackLook {
  /** Monotonic clock, milliseconds. */
  atMs: number;
  /** Position of the playhead, in seconds. */
  positionSeconds: number;
  /** Whether the picture should move: it isn't paused. */
  isMeant: boolean;
  /** The player is jumping, and shows nothing new until it arrives. */
  isSeeking: boolean;
  totalFrames: number;
  droppedFrames: number;
}

/** Totals over all looks. */
export interface PlaybackSums {
  /** `waiting`: no frame has moved yet. */
  state: 'waiting' | 'playing' | 'stalled' | 'paused';
  /** How long the picture has been frozen, if it should move. */
  holdSeconds: number | undefined;
  stalls: number;
  stalledSeconds: number;
  /** The same over the last minute. */
  recentStalls: number;
  recentStalledSeconds: number;
  /** Decoded frames, and how many of them were too late to show. */
  decodedFrames: number;
  droppedFrames: number;
  /** Frames shown per second of wall clock, over the last seconds. */
  fps: number | undefined;
}

/** A longer freeze is a stall; a shorter one may just be the time between two looks. */
const stallMs = 400;
/** A jump that takes longer is a stall: the media it jumps to doesn't arrive. */
const maxSeekMs = 1_500;
/** How far back the frame rate looks, and the shortest span it needs. */
const rateWindowMs = 6_000;
const leastRateMs = 1_500;
/** With a longer time between two looks the page slept: nobody saw its picture. The service forgets such a page, too. */
const asleepMs = 5_000;
/** A playhead that moves this much further than it can play between two looks has jumped, in seconds. */
const jumpSeconds = 0.5;

/**
 * Measures what a viewer sees of one broadcast: stalls, their duration, and frames by the wall clock. It reads no clock: looks
 * carry their time.
 */
export class PlaybackMeter {
  #last: PlaybackLook | undefined;
  #startedAtMs: number | undefined;
  #movedAtMs: number | undefined;
  #isStalled = false;
  #seekingSinceMs: number | undefined;
  #stalls = 0;
  #stalledMs = 0;
  /** Recent increments of both, with their times. */
  #recent: { atMs: number; stalls: number; stalledMs: number }[] = [];
  #decoded = 0;
  #dropped = 0;
  #shown: { atMs: number; frames: number }[] = [];

  add(look: PlaybackLook): PlaybackSums {
    if (look.atMs - (this.#last?.atMs ?? look.atMs) > asleepMs) this.rest();
    const last = this.#last;
    this.#last = look;
    this.#startedAtMs ??= look.atMs;
    if (!look.isSeeking) this.#seekingSinceMs = undefined;
    else this.#seekingSinceMs ??= look.atMs;
    if (last !== undefined) {
      this.#countFrames(last, look);
      this.#countStill(last, look);
    }
    return this.#sum(look);
  }

  /** Forgets the last look: what happens until the next one, while the page is hidden, asleep or shows another screen, is unknown. Totals stay. */
  rest(): void {
    this.#last = undefined;
    this.#seekingSinceMs = undefined;
    this.#isStalled = false;
    this.#movedAtMs = undefined;
    this.#startedAtMs = undefined;
    this.#shown = [];
  }

  /** A new player counts its frames from zero. */
  #countFrames(last: PlaybackLook, look: PlaybackLook): void {
    const isFresh = look.totalFrames < last.totalFrames;
    this.#decoded += look.totalFrames - (isFresh ? 0 : last.totalFrames);
    this.#dropped += look.droppedFrames - (isFresh ? 0 : last.droppedFrames);
    const frames = this.#decoded - this.#dropped;
    // A paused picture has no frame rate.
    if (this.#isAtRest(look)) this.#shown = [];
    this.#shown = [...this.#shown.filter(({ atMs }) => look.atMs - atMs <= rateWindowMs), { atMs: look.atMs, frames }];
  }

  #countStill(last: PlaybackLook, look: PlaybackLook): void {
    const elapsedMs = look.atMs - last.atMs;
    const advancedMs = (look.positionSeconds - last.positionSeconds) * 1000;
    if (this.#isAtRest(look) || this.#isAtRest(last)) {
      this.#movedAtMs = this.#movedAtMs && look.atMs;
      this.#isStalled = false;
      return;
    }
    const hasMoved = advancedMs > 0 && advancedMs < 2 * elapsedMs + jumpSeconds * 1000;
    if (hasMoved) {
      if (this.#isStalled) this.#addStill(look, 0, Math.max(0, elapsedMs - advancedMs));
      this.#isStalled = false;
      this.#movedAtMs = look.atMs;
      return;
    }
    if (this.#movedAtMs === undefined) return;
    if (this.#isStalled) {
      this.#addStill(look, 0, elapsedMs);
    } else if (look.atMs - this.#movedAtMs > stallMs) {
      this.#isStalled = true;
      this.#addStill(look, 1, look.atMs - this.#movedAtMs);
    }
  }

  /** The picture isn't expected to move: it is paused, or a jump has just begun that isn't due to a stall. */
  #isAtRest({ isMeant, isSeeking, atMs }: PlaybackLook): boolean {
    if (!isMeant) return true;
    return isSeeking && !this.#isStalled && atMs - (this.#seekingSinceMs ?? atMs) <= maxSeekMs;
  }

  #addStill({ atMs }: PlaybackLook, stalls: number, stalledMs: number): void {
    this.#stalls += stalls;
    this.#stalledMs += stalledMs;
    this.#recent.push({ atMs, stalls, stalledMs });
  }

  #sum(look: PlaybackLook): PlaybackSums {
    const stillSince = this.#movedAtMs ?? this.#startedAtMs;
    const isWaiting = this.#movedAtMs === undefined;
    const state = !look.isMeant ? 'paused' : isWaiting ? 'waiting' : this.#isStalled ? 'stalled' : 'playing';
    this.#recent = this.#recent.filter(({ atMs }) => look.atMs - atMs < recentStallMs);
    const isHeld = state === 'stalled' || state === 'waiting';
    return {
      state,
      holdSeconds: isHeld && stillSince !== undefined ? (look.atMs - stillSince) / 1000 : undefined,
      stalls: this.#stalls,
      stalledSeconds: this.#stalledMs / 1000,
      recentStalls: this.#recent.reduce((sum, { stalls }) => sum + stalls, 0),
      recentStalledSeconds: this.#recent.reduce((sum, { stalledMs }) => sum + stalledMs, 0) / 1000,
      decodedFrames: this.#decoded,
      droppedFrames: this.#dropped,
      fps: this.#rate(look),
    };
  }

  #rate(look: PlaybackLook): number | undefined {
    const [first] = this.#shown;
    const newest = this.#shown.at(-1);
    if (first === undefined || newest === undefined || look.atMs - first.atMs < leastRateMs) return undefined;
    return ((newest.frames - first.frames) * 1000) / (newest.atMs - first.atMs);
  }
}
