import { recentStallMs } from '../../../shared/stalls.ts';

/** One look at the picture; counts of frames are those of `getVideoPlaybackQuality`. */
export interface PlaybackLook {
  /** Milliseconds of a clock that only goes forward. */
  atMs: number;
  /** Where the playhead is, in seconds. */
  positionSeconds: number;
  /** Whether the picture is meant to move: nobody has paused it, and no seek is under way. */
  isMeant: boolean;
  totalFrames: number;
  droppedFrames: number;
}

/** What the looks amount to. */
export interface PlaybackSums {
  /** `waiting`: no picture has moved yet. */
  state: 'waiting' | 'playing' | 'stalled' | 'paused';
  /** How long the picture has stood still by now, where it should move. */
  holdSeconds: number | undefined;
  stalls: number;
  stalledSeconds: number;
  /** The same of the last minute. */
  recentStalls: number;
  recentStalledSeconds: number;
  /** Frames that were decoded, and how many of them came too late to be shown. */
  decodedFrames: number;
  droppedFrames: number;
  /** Frames shown per second of the wall clock, over the last seconds. */
  fps: number | undefined;
}

/** A picture that stands still for longer than this has stalled: shorter, it is the time between two looks. */
const stallMs = 400;
/** How far the rate of frames looks back, and the least that is long enough to tell it. */
const rateWindowMs = 6_000;
const leastRateMs = 1_500;
/** Farther than this beyond what the time between two looks can play, in seconds, the playhead has jumped. */
const jumpSeconds = 0.5;

/**
 * Counts what a viewer sees of one broadcast: how often and how long the picture stood still, and frames by the wall clock. It reads
 * no clock: looks bear their time.
 */
export class PlaybackMeter {
  #last: PlaybackLook | undefined;
  #startedAtMs: number | undefined;
  #movedAtMs: number | undefined;
  #isStalled = false;
  #stalls = 0;
  #stalledMs = 0;
  /** What was added to the two, and when. */
  #recent: { atMs: number; stalls: number; stalledMs: number }[] = [];
  #decoded = 0;
  #dropped = 0;
  #shown: { atMs: number; frames: number }[] = [];

  add(look: PlaybackLook): PlaybackSums {
    const last = this.#last;
    this.#last = look;
    this.#startedAtMs ??= look.atMs;
    if (last !== undefined) {
      this.#countFrames(last, look);
      this.#countStill(last, look);
    }
    return this.#sum(look);
  }

  /** Forgets when it last looked: what happened meanwhile, while the page was hidden and asleep, is not known. */
  rest(): void {
    this.#last = undefined;
    this.#isStalled = false;
    this.#movedAtMs = undefined;
    this.#startedAtMs = undefined;
    this.#shown = [];
  }

  /** A fresh player counts its frames from the beginning. */
  #countFrames(last: PlaybackLook, look: PlaybackLook): void {
    const isFresh = look.totalFrames < last.totalFrames;
    this.#decoded += look.totalFrames - (isFresh ? 0 : last.totalFrames);
    this.#dropped += look.droppedFrames - (isFresh ? 0 : last.droppedFrames);
    const frames = this.#decoded - this.#dropped;
    // While it is paused there is no rate to tell.
    if (!look.isMeant) this.#shown = [];
    this.#shown = [...this.#shown.filter(({ atMs }) => look.atMs - atMs <= rateWindowMs), { atMs: look.atMs, frames }];
  }

  #countStill(last: PlaybackLook, look: PlaybackLook): void {
    const elapsedMs = look.atMs - last.atMs;
    const advancedMs = (look.positionSeconds - last.positionSeconds) * 1000;
    if (!look.isMeant || !last.isMeant) {
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
