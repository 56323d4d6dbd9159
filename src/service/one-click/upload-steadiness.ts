import { RecentGrowth } from '../lib/recent-growth.ts';

/** Follows how steadily an upload sends. Reads no clock: times are milliseconds of a monotonic clock. */
export class UploadSteadiness {
  readonly #dropped = new RecentGrowth(60_000);
  #droppedFrames = 0;
  #steadySinceMs = 0;

  /** A connection begins. */
  connected(nowMs: number): void {
    this.#steadySinceMs = nowMs;
  }

  /** Takes how many frames have been dropped so far. */
  note(droppedFrames: number, nowMs: number): void {
    if (droppedFrames > this.#droppedFrames) this.#steadySinceMs = nowMs;
    this.#droppedFrames = droppedFrames;
    this.#dropped.note(droppedFrames, nowMs);
  }

  /** Frames dropped in the last minute. */
  recentDrops(nowMs: number): number {
    return this.#dropped.read(nowMs);
  }

  /** Since when it has been connected without dropping a frame. */
  get steadySinceMs(): number {
    return this.#steadySinceMs;
  }
}
