import { stampRoundingMs } from '../media/rounding.ts';
import {
  chooseAudioPartTarget,
  choosePartTarget,
  chooseTargetDuration,
  longestSegmentMs,
  type PlaylistTargets,
} from './playlist-targets.ts';

/** No keyframe ends a segment before this, unless the wanted length is shorter. */
const leastMs = 500;
/** Any keyframe after this ends the first segment, which viewers wait for. */
const leastFirstMs = 100;
/** The longest of this many recent GOPs is expected again. */
const recentGops = 8;

export interface CutRuleOptions {
  /** The least length of a segment. */
  aimMs: number;
  /** A keyframe up to this much before `aimMs` still ends the segment. */
  toleranceMs: number;
  /** The wanted length of parts. */
  partMs: number;
}

/**
 * Decides how long segments are, from the keyframes that an encoder sends. The first segment is its first GOP, and sets the
 * playlist's promise; later ones aim at a length, and never exceed the promise. All times in milliseconds.
 */
export class CutRule {
  readonly #options: CutRuleOptions;
  #targets: PlaylistTargets | undefined;
  #keyframeMs: number | undefined;
  #gopsMs: number[] = [];

  /** `promised`: the promise that the playlist has already made. */
  constructor(options: CutRuleOptions, promised: PlaylistTargets | undefined) {
    this.#options = options;
    this.#targets = promised;
  }

  /** The playlist's promise; undefined until the first segment is whole. */
  get targets(): PlaylistTargets | undefined {
    return this.#targets;
  }

  /** The length that segments aim at. */
  get aimMs(): number {
    const { aimMs } = this.#options;
    return this.#targets === undefined ? aimMs : Math.min(aimMs, this.#targets.durationSeconds * 1000);
  }

  /** No segment is longer. */
  get longestMs(): number {
    return this.#targets === undefined ? Number.POSITIVE_INFINITY : longestSegmentMs(this.#targets);
  }

  /** The length of a segment if no keyframe ends it in time: a whole number of parts. */
  get dividedMs(): number {
    if (this.#targets === undefined) return Number.POSITIVE_INFINITY;
    const { partMs } = this.#targets;
    return Math.max(Math.floor(this.longestMs / partMs), 1) * partMs;
  }

  /** A keyframe has arrived, with this timestamp. */
  addKeyframe(timeMs: number): void {
    if (this.#keyframeMs !== undefined && timeMs > this.#keyframeMs) {
      this.#gopsMs = [...this.#gopsMs, timeMs - this.#keyframeMs].slice(-recentGops);
    }
    this.#keyframeMs = timeMs;
  }

  /** The next keyframe does not end a GOP that this one began. */
  forgetKeyframe(): void {
    this.#keyframeMs = undefined;
  }

  /**
   * Whether a keyframe ends a segment that is `elapsedMs` long by then. `leavesShortPart`: the segment's last part would be
   * short.
   */
  isDue(elapsedMs: number, leavesShortPart: boolean): boolean {
    const { toleranceMs } = this.#options;
    if (this.#targets === undefined) return elapsedMs >= leastFirstMs;
    if (elapsedMs >= this.aimMs - toleranceMs) return true;
    const expectedGopMs = this.#gopsMs.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...this.#gopsMs);
    const fitsNext = elapsedMs + expectedGopMs <= this.longestMs - stampRoundingMs;
    return (!fitsNext || leavesShortPart) && elapsedMs >= Math.min(leastMs, this.aimMs) - toleranceMs;
  }

  /** The first segment, of `segmentMs` with video, is whole. */
  settle(segmentMs: number, { fps, fpsPromised }: { fps: number | undefined; fpsPromised: boolean }): PlaylistTargets {
    const { aimMs, partMs } = this.#options;
    const gopMs = this.#gopsMs.at(-1) ?? segmentMs;
    this.#targets ??= {
      durationSeconds: chooseTargetDuration(segmentMs, aimMs),
      partMs: choosePartTarget({ gopMs, fps, fpsPromised }, partMs, aimMs),
    };
    return this.#targets;
  }

  /** The first segment has audio only, in frames of `frameMs`. */
  settleAudio(frameMs: number): PlaylistTargets {
    const { aimMs, partMs } = this.#options;
    this.#targets ??= { durationSeconds: chooseTargetDuration(0, aimMs), partMs: chooseAudioPartTarget(frameMs, partMs) };
    return this.#targets;
  }
}
