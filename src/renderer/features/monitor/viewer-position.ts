import { findDate, isInWindow, measureBehind, type Timeline } from './timeline.ts';

/**
 * The position that the viewer wants: the live edge, paused there, or a moment behind it, to which a new player returns. The browser and
 * the player don't change it on their own.
 */
export class ViewerPosition {
  #isFollowing = true;
  /** The viewer wants the live edge, but the browser keeps the picture from playing: once it plays, it jumps there. */
  #resumesLive = false;
  /** The last moment shown, epoch milliseconds. */
  #shownMs: number | undefined;
  /** The moment to which a new player still has to return, unless the viewer decides otherwise. */
  #returnsToMs: number | undefined;

  /** Whether the playhead should stay at the live edge. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Notes the date of the frame on screen, epoch milliseconds, if known. */
  noteShown(dateMs: number | undefined): void {
    this.#shownMs = dateMs ?? this.#shownMs;
  }

  /** The playhead goes to the live edge. A new player that still has to return does so anyway. */
  follow(): void {
    this.#isFollowing = true;
  }

  /** The viewer wants the live edge, or there is no other choice. */
  goLive(): void {
    this.#returnsToMs = undefined;
    this.#isFollowing = true;
  }

  /** The viewer seeks to this position; `isPaused` if the picture stays paused there. */
  seek(timeline: Timeline, isPaused: boolean): void {
    this.#resumesLive = false;
    this.#returnsToMs = undefined;
    this.#isFollowing = measureBehind(timeline) === 0 && !isPaused;
  }

  /** The picture pauses; `isHidden` if the page is hidden: browsers then pause a muted picture, and resume it later. */
  pause(isHidden: boolean): void {
    this.#resumesLive = isHidden && this.#isFollowing;
    this.#isFollowing = this.#resumesLive;
  }

  /** The browser doesn't start the picture. It waits where it is. */
  refuse(): void {
    this.#resumesLive ||= this.#isFollowing;
    this.#isFollowing = false;
  }

  /**
   * The picture resumes, at this position if known, with this much media buffered ahead. Returns whether it must go to live: because only
   * the browser had paused it, or none of that media is in the window any more.
   */
  resume(timeline: Timeline | undefined, aheadSeconds: number): boolean {
    if (this.#resumesLive) {
      this.#resumesLive = false;
      return true;
    }
    if (timeline === undefined) return false;
    const isGone = !isInWindow({ ...timeline, positionSeconds: timeline.positionSeconds + aheadSeconds });
    this.#isFollowing = isGone || measureBehind(timeline) === 0;
    return isGone;
  }

  /** The picture plays at this position. When it has left the window and runs out of media, hls.js jumps to live. */
  notePlaying(timeline: Timeline): void {
    if (this.#returnsToMs === undefined && measureBehind(timeline) === 0) this.#isFollowing = true;
  }

  /** A new player opens, and has to return a viewer who has rewound. */
  beginReturn(): void {
    this.#returnsToMs = this.#isFollowing || this.#resumesLive ? undefined : this.#shownMs;
  }

  /**
   * The position to which a new player with these segments has to seek, in seconds; undefined if none. Live, if the moment is gone;
   * `isPaused` if the picture stays paused there.
   */
  endReturn(segments: Parameters<typeof findDate>[0], isPaused: boolean): number | undefined {
    const dateMs = this.#returnsToMs;
    if (dateMs === undefined) return undefined;
    this.#returnsToMs = undefined;
    const positionSeconds = findDate(segments, dateMs);
    this.#isFollowing = positionSeconds === undefined && !isPaused;
    return positionSeconds;
  }
}
