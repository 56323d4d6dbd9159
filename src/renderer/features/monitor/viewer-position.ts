import { findDate, isInWindow, measureBehind, type Timeline } from './timeline.ts';

/**
 * Where the viewer wants to be: at the live edge, paused there, or at a moment behind it, to which a new player returns. What the browser
 * and the player do on their own doesn't change it, unless they come to live because that moment has left the window.
 */
export class ViewerPosition {
  #isFollowing = true;
  /** The viewer wants the live edge, and only the browser keeps the picture from playing: it goes there once it plays. */
  #resumesLive = false;
  /** The last moment shown, epoch milliseconds. */
  #shownMs: number | undefined;
  /** The moment to which a new player has yet to return, while the viewer has not decided otherwise. */
  #returnsToMs: number | undefined;

  /** Whether the playhead should stay at the live edge. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Notes the date of the frame on screen, epoch milliseconds, if known. */
  noteShown(dateMs: number | undefined): void {
    this.#shownMs = dateMs ?? this.#shownMs;
  }

  /** The playhead goes to the live edge. A new player that has yet to return still does. */
  follow(): void {
    this.#isFollowing = true;
  }

  /** The viewer wants the live edge, or there is nothing else. */
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

  /** The picture pauses; `isHidden` if nobody sees it: browsers pause a muted one then, and resume it. */
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
   * The picture plays on, at this position if known, with media buffered ahead of it. Returns whether it must go to live: only the browser
   * had paused it, or none of that media is in the window any more.
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

  /** The picture plays at this position. hls.js takes it to live when it has left the window and runs out of media. */
  notePlaying(timeline: Timeline): void {
    if (this.#returnsToMs === undefined && measureBehind(timeline) === 0) this.#isFollowing = true;
  }

  /** A new player opens, and is to return a viewer who has rewound. */
  beginReturn(): void {
    this.#returnsToMs = this.#isFollowing || this.#resumesLive ? undefined : this.#shownMs;
  }

  /** Where a new player with these segments has to go to return, in seconds; undefined if nowhere. Live, if the moment is gone. */
  endReturn(segments: Parameters<typeof findDate>[0]): number | undefined {
    const dateMs = this.#returnsToMs;
    if (dateMs === undefined) return undefined;
    this.#returnsToMs = undefined;
    const positionSeconds = findDate(segments, dateMs);
    this.#isFollowing = positionSeconds === undefined;
    return positionSeconds;
  }
}
