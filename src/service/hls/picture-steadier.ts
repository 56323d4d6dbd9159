import { maxJitterMs, stampRoundingMs } from './rounding.ts';

/** So many frames at one distance are a steady rate. */
const steadyFrames = 8;
const windowFrames = 30;
/** So many stamps in a row that do not fit are no trembling: the rate has changed. */
const maxOffFrames = 3;

/**
 * Says where the frames of a picture stand whose stamps tremble: at a steady rate, a frame that is stamped late or early by over
 * half a frame stands where its turn is; one that is off by less was captured then. Two in a row that are off by the same are where they say: frames before them were lost. So a frame after a
 * hole is early by the hole, once. A picture at a varying rate stands as it is stamped. All times in milliseconds.
 */
export class PictureSteadier {
  #placed: number[] = [];
  /** How far off the newest stamps were, as long as all were. */
  #offMs: number[] = [];

  /** Where a frame of this stamp stands; `fps` is the picture's rate, where that is known. */
  place(stampMs: number, fps: number | undefined): number {
    const next = this.#nextTurn(fps);
    const offMs = next === undefined ? 0 : stampMs - next.turnMs;
    const isOff = next !== undefined && Math.abs(offMs) > Math.max(stampRoundingMs, next.frameMs / 2);
    const lastOffMs = this.#offMs.at(-1);
    this.#offMs = isOff ? [...this.#offMs, offMs] : [];
    const isMoved = lastOffMs !== undefined && Math.abs(offMs - lastOffMs) <= stampRoundingMs;
    const trembles = isOff && Math.abs(offMs) <= maxJitterMs && !isMoved && this.#offMs.length < maxOffFrames;
    if (isOff && !trembles) this.restart();
    const timeMs = trembles ? Math.round(next.turnMs) : stampMs;
    this.#placed.push(timeMs);
    if (this.#placed.length > windowFrames) this.#placed.shift();
    return timeMs;
  }

  /** What comes next is of another timeline, or at another rate. */
  restart(): void {
    this.#placed = [];
    this.#offMs = [];
  }

  /** When the next frame is due; undefined where the frames before it have no steady rate. */
  #nextTurn(fps: number | undefined): { turnMs: number; frameMs: number } | undefined {
    const count = this.#placed.length;
    const [firstMs = 0, lastMs = 0] = [this.#placed[0], this.#placed.at(-1)];
    if (count < steadyFrames) return undefined;
    const frameMs = fps === undefined ? (lastMs - firstMs) / (count - 1) : 1000 / fps;
    const errors = this.#placed.map((timeMs, index) => timeMs - firstMs - index * frameMs);
    if (Math.max(...errors) - Math.min(...errors) > stampRoundingMs) {
      // The frames from before a change of the rate say nothing of the next.
      this.#placed = this.#placed.slice(-steadyFrames + 1);
      return undefined;
    }
    const errorMs = errors.reduce((sum, error) => sum + error, 0) / count;
    return { turnMs: firstMs + count * frameMs + errorMs, frameMs };
  }
}
