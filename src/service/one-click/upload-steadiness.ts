import { RecentGrowth } from '../lib/recent-growth.ts';

/** Players stall if so much is missing in a row. */
const seenSeconds = 0.4;

/** Follows how steadily an upload sends. Reads no clock: times are milliseconds of a monotonic clock. */
export class UploadSteadiness {
  readonly #dropped = new RecentGrowth(60_000);
  readonly #leastFrames: number;
  #droppedFrames = 0;
  /** Frames dropped in a row. */
  #run = 0;
  #steadySinceMs = 0;

  /** @param fps of the video */
  constructor(fps: number) {
    this.#leastFrames = seenSeconds * fps;
  }

  /** A connection begins. */
  connected(nowMs: number): void {
    this.#steadySinceMs = nowMs;
  }

  /** Takes how many frames have been dropped so far; to be called twice a second. */
  note(droppedFrames: number, nowMs: number): void {
    const dropped = droppedFrames - this.#droppedFrames;
    this.#run = dropped > 0 ? this.#run + dropped : 0;
    if (this.#run >= this.#leastFrames) this.#steadySinceMs = nowMs;
    this.#droppedFrames = droppedFrames;
    this.#dropped.note(droppedFrames, nowMs);
  }

  /** Frames dropped in the last minute. */
  recentDrops(nowMs: number): number {
    return this.#dropped.read(nowMs);
  }

  /** Since when it has been connected without dropping so many frames in a row that players stall. */
  get steadySinceMs(): number {
    return this.#steadySinceMs;
  }
}
