import { keyframeWarnSeconds } from './health-facts.ts';
import { isTimeJump } from './time-jump.ts';

/** Measures the keyframe interval of one publisher, by decode times in milliseconds. */
export class KeyframeMeter {
  #lastMs: number | undefined;
  #intervalMs: number | undefined;
  /** How much video has come since the last keyframe, or the first frame. */
  #sinceMs = 0;
  #hasKeyframe = false;

  add(timeMs: number, keyframe: boolean): void {
    if (isTimeJump(this.#lastMs, timeMs)) this.#restart();
    else this.#sinceMs += timeMs - (this.#lastMs ?? timeMs);
    this.#lastMs = timeMs;
    if (!keyframe) return;
    this.#intervalMs = this.#hasKeyframe ? this.#sinceMs : undefined;
    this.#hasKeyframe = true;
    this.#sinceMs = 0;
  }

  /** Seconds between the last two keyframes, or since the last one if that is too long already; undefined until known. */
  get intervalSeconds(): number | undefined {
    const sinceSeconds = this.#sinceMs / 1000;
    const seconds = this.#intervalMs === undefined ? undefined : this.#intervalMs / 1000;
    return sinceSeconds > keyframeWarnSeconds ? Math.max(seconds ?? 0, sinceSeconds) : seconds;
  }

  #restart(): void {
    this.#intervalMs = undefined;
    this.#hasKeyframe = false;
    this.#sinceMs = 0;
  }
}
