import { keyframeWarnSeconds } from './health-facts.ts';
import { isTimeJump } from './time-jump.ts';

/** Measures the keyframe interval of one publisher, by decode times in milliseconds. */
export class KeyframeMeter {
  #newestMs: number | undefined;
  #intervalMs: number | undefined;
  /** Video since the last keyframe, or since the first frame. */
  #sinceMs = 0;
  #hasKeyframe = false;

  add(timeMs: number, keyframe: boolean): void {
    if (isTimeJump(this.#newestMs, timeMs)) this.#restart();
    const newestMs = Math.max(this.#newestMs ?? timeMs, timeMs);
    this.#sinceMs += newestMs - (this.#newestMs ?? timeMs);
    this.#newestMs = newestMs;
    if (!keyframe) return;
    this.#intervalMs = this.#hasKeyframe ? this.#sinceMs : undefined;
    this.#hasKeyframe = true;
    this.#sinceMs = 0;
  }

  /** Seconds between the last two keyframes, or since the last one if the next is overdue; undefined until known. */
  get intervalSeconds(): number | undefined {
    const ms = this.isOverdue ? this.#sinceMs : this.#intervalMs;
    return ms === undefined ? undefined : ms / 1000;
  }

  /** The next keyframe has not come for longer than is good, and longer than the one before took. */
  get isOverdue(): boolean {
    return this.#sinceMs > Math.max(this.#intervalMs ?? 0, keyframeWarnSeconds * 1000);
  }

  #restart(): void {
    this.#newestMs = undefined;
    this.#intervalMs = undefined;
    this.#hasKeyframe = false;
    this.#sinceMs = 0;
  }
}
