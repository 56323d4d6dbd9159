import { median } from '../lib/median.ts';

/** The distance between the tracks is read once per window of this many milliseconds of arrivals. */
const windowMs = 5_000;
/** A larger jump of a track's timestamps, not of the times it arrives at, starts a new timeline. */
const maxJumpMs = 5_000;
/** A larger change between two windows is a step if it lasts, unless the changes around it are as large: then a clock is fast. */
const stepMs = 60;
/** How many of the last windows (a minute) show how fast a clock is and how uneven they are. All but three show the level before a step. */
const recentWindows = 12;
/**
 * Neither a step nor a drift is smaller than this many times what windows usually differ by, which is about the deviation of one window:
 * with 3 times, chance makes a drift of uneven windows twice as often, and with 5 a real one is found later.
 */
const leastByUnevenness = 4;
/**
 * A drift of at least this is reported: a lag of sound is noticed from 60 ms, a lead from 40 ms (EBU R37), and disturbs from 185
 * and 90 ms (ITU-R BT.1359-1). We don't know which of them the broadcast began with.
 */
const driftedMs = 80;
/** A reported drift is over once all of its windows are below this, so that a drift at the limit doesn't switch back and forth. */
const togetherMs = 60;
/** A drift begins and ends after this many consecutive windows. */
const driftedWindows = 3;

interface Lags {
  startedAtMs: number;
  audioMs: number;
  videoMs: number;
}

/**
 * Measures whether the audio's timestamps of one publisher run at the same pace as those of its video, by when both arrive.
 *
 * A delay of the network holds up both tracks, and other delays only make media late, so the least lag of each track in a window
 * is compared: jitter and bursts don't change it. The initial distance is how the encoder sends the tracks. See
 * `docs/decisions/0024-sound-and-picture-apart.md`. Reads no clock: arrival times in milliseconds are passed in.
 */
export class DriftMeter {
  #lags: Lags | undefined;
  /** The newest frame of each track. */
  readonly #last: Partial<Record<'audio' | 'video', { timestampMs: number; lagMs: number }>> = {};
  #isFirst = true;
  /** How much later video arrived than audio of the same time, in each of the last windows, oldest first. */
  #offsets: number[] = [];
  /** The distance between the tracks without a drift: the initial one, and steps since. */
  #usualMs: number | undefined;
  /** Whether the two windows judged last are on one level, apart from what a clock makes of it. */
  #isLevel = false;
  /** How far the last windows are off `#usualMs`. */
  #moved: number[] = [];
  #driftMs: number | undefined;

  /** How late the sound is by now, in milliseconds, negative if it is early; undefined while both are together. */
  get driftMs(): number | undefined {
    return this.#driftMs;
  }

  /**
   * Adds a frame with decode time `timestampMs` that arrived at `atMs`.
   *
   * @param isHeldUp whether the publisher doesn't keep up: it may hold back one track more than the other. Asked once a window.
   */
  add(track: 'audio' | 'video', timestampMs: number, atMs: number, isHeldUp: () => boolean): void {
    const lagMs = atMs - timestampMs;
    const last = this.#last[track];
    // Media that is only late keeps its timeline.
    if (last && hasJumped(last.lagMs, lagMs) && hasJumped(last.timestampMs, timestampMs)) this.#restart();
    this.#last[track] = { timestampMs, lagMs };
    this.#lags ??= { startedAtMs: atMs, audioMs: Number.POSITIVE_INFINITY, videoMs: Number.POSITIVE_INFINITY };
    if (track === 'audio') this.#lags.audioMs = Math.min(this.#lags.audioMs, lagMs);
    else this.#lags.videoMs = Math.min(this.#lags.videoMs, lagMs);
    if (atMs - this.#lags.startedAtMs < windowMs) return;
    const offsetMs = this.#lags.videoMs - this.#lags.audioMs;
    this.#lags = undefined;
    // The first window doesn't count: media that waited for the connection comes in a burst.
    const counts = !this.#isFirst && Number.isFinite(offsetMs) && !isHeldUp();
    this.#isFirst = false;
    if (counts) this.#take(offsetMs);
  }

  #restart(): void {
    this.#last.audio = undefined;
    this.#last.video = undefined;
    this.#lags = undefined;
    this.#offsets = [];
    this.#usualMs = undefined;
    this.#isLevel = false;
    this.#moved = [];
    this.#driftMs = undefined;
  }

  #take(offsetMs: number): void {
    this.#offsets = [...this.#offsets, offsetMs].slice(-recentWindows);
    const [first, before, judged, next] = this.#offsets.slice(-4);
    if (first === undefined || before === undefined || judged === undefined || next === undefined) return;
    const moves = this.#offsets.slice(1).map((offset, index) => offset - (this.#offsets[index] ?? offset));
    const paceMs = median(moves) ?? 0;
    const unevenMs = median(moves.map((move) => Math.abs(move - paceMs))) ?? 0;
    const leastMs = leastByUnevenness * unevenMs;
    const wasLevel = this.#isLevel;
    this.#isLevel = Math.abs(judged - before - paceMs) <= stepMs;
    if (this.#usualMs !== undefined && this.#isLevel && !wasLevel) {
      this.#usualMs += this.#takeStep([before, judged], Math.max(stepMs, leastMs));
    }
    // Among windows that differ by more than a step, none is usual.
    if (this.#isLevel && unevenMs <= stepMs) this.#usualMs ??= median([first, before, judged]);
    if (this.#usualMs === undefined) return;
    this.#moved = [...this.#moved, judged - this.#usualMs].slice(-driftedWindows);
    this.#judge(Math.max(driftedMs, leastMs));
  }

  /**
   * How far two windows on one level are off the windows before them, apart from what a clock makes of it: 0 if that isn't more than
   * `leastMs`. From then on the earlier windows count as if they had been on that level.
   */
  #takeStep(level: readonly [number, number], leastMs: number): number {
    const earlier = this.#offsets.slice(0, -3);
    const since = (windows: readonly number[]) => (level[0] + level[1]) / 2 - (median(windows) ?? 0);
    // The nearer of the two has to be off too.
    if (Math.abs(since(earlier)) - Math.abs(level[1] - level[0]) / 2 <= leastMs) return 0;
    // The median over all pairs: that of neighbours is less exact, and its error would count once for each window in between.
    const paces = earlier.flatMap((late, index) =>
      earlier.slice(0, index).map((early, from) => (late - early) / (index - from)),
    );
    const paceMs = median(paces) ?? 0;
    // The middle of both is half a window after the first.
    const sizeMs = since(earlier.map((offset, index) => offset + paceMs * (earlier.length - index + 0.5)));
    this.#offsets = [...earlier.map((offset) => offset + sizeMs), ...this.#offsets.slice(-3)];
    return sizeMs;
  }

  #judge(leastMs: number): void {
    if (this.#moved.length < driftedWindows) return;
    const middleMs = median(this.#moved) ?? 0;
    const apartMs = this.#moved.map((movedMs) => movedMs * Math.sign(middleMs));
    const isApart = this.#driftMs === undefined ? Math.min(...apartMs) >= leastMs : Math.max(...apartMs) >= togetherMs;
    // A single odd window may be on the other side.
    const newestMs = this.#moved.findLast((movedMs) => movedMs * Math.sign(middleMs) >= togetherMs);
    this.#driftMs = isApart && newestMs !== undefined ? Math.round(newestMs) : undefined;
  }
}

function hasJumped(from: number, to: number): boolean {
  return Math.abs(to - from) > maxJumpMs;
}
