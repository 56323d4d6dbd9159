import { compositionRoundingMs, maxJitterMs, stampRoundingMs } from '../media/rounding.ts';
import type { VideoInput } from './video-track.ts';

/** This many frames at one distance are a steady rate. */
const steadyFrames = 8;
const windowFrames = 30;
/** If this many stamps in a row don't fit, that is no jitter: the rate has changed. */
const maxOffFrames = 3;

type VideoStamps = Pick<VideoInput, 'timeMs' | 'compositionTimeMs'>;

/**
 * Removes jitter from the times of video frames. At a steady rate, a frame that is stamped late or early by more than half a
 * frame gets the time when it was due; a stamp that is off by less is right: that is when the frame was captured. Two stamps in a
 * row that are off by the same are right, too: frames before them were lost. So the first frame after a hole is early by the
 * hole. Video at a varying rate keeps its stamps, and so does video with B-frames: a frame that moved would be shown before those
 * that are decoded after it but shown earlier. All times in milliseconds.
 */
export class VideoSteadier {
  #placed: number[] = [];
  /** How far off the newest stamps were, one after another; empty once a stamp was right. */
  #offMs: number[] = [];
  /** The composition time of the first frame. */
  #firstCompositionMs: number | undefined;
  /** Frames are not shown in the order in which they are decoded. */
  #reordered = false;

  /** The decode time of a frame with these stamps; `fps` is the frame rate, if it is known. */
  place({ timeMs: stampMs, compositionTimeMs }: VideoStamps, fps: number | undefined): number {
    this.#firstCompositionMs ??= compositionTimeMs;
    this.#reordered ||= Math.abs(compositionTimeMs - this.#firstCompositionMs) > compositionRoundingMs;
    if (this.#reordered) return stampMs;
    const next = this.#nextTurn(fps);
    const offMs = next === undefined ? 0 : stampMs - next.turnMs;
    const isOff = next !== undefined && Math.abs(offMs) > Math.max(stampRoundingMs, next.frameMs / 2);
    const lastOffMs = this.#offMs.at(-1);
    this.#offMs = isOff ? [...this.#offMs, offMs] : [];
    const isMoved = lastOffMs !== undefined && Math.abs(offMs - lastOffMs) <= stampRoundingMs;
    const isJitter = isOff && Math.abs(offMs) <= maxJitterMs && !isMoved && this.#offMs.length < maxOffFrames;
    if (isOff && !isJitter) this.restart();
    const timeMs = isJitter ? Math.round(next.turnMs) : stampMs;
    this.#placed.push(timeMs);
    if (this.#placed.length > windowFrames) this.#placed.shift();
    return timeMs;
  }

  /** The next frames are on another timeline, or at another rate. */
  restart(): void {
    this.#placed = [];
  }

  /** When the next frame is due; undefined if the frames before it have no steady rate. */
  #nextTurn(fps: number | undefined): { turnMs: number; frameMs: number } | undefined {
    const count = this.#placed.length;
    const [firstMs = 0, lastMs = 0] = [this.#placed[0], this.#placed.at(-1)];
    if (count < steadyFrames) return undefined;
    const frameMs = fps === undefined ? (lastMs - firstMs) / (count - 1) : 1000 / fps;
    const errors = this.#placed.map((timeMs, index) => timeMs - firstMs - index * frameMs);
    if (Math.max(...errors) - Math.min(...errors) > stampRoundingMs) {
      // Frames from before a change of rate do not predict the next one.
      this.#placed = this.#placed.slice(-steadyFrames + 1);
      return undefined;
    }
    const errorMs = errors.reduce((sum, error) => sum + error, 0) / count;
    return { turnMs: firstMs + count * frameMs + errorMs, frameMs };
  }
}
