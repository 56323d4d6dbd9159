import { keyframeWarnSeconds, lastSeenBadMs } from './health-facts.ts';
import { isTimeJump } from './time-jump.ts';

/**
 * The interval is the longest within this much video: most encoders also put a keyframe at each scene cut, so that some intervals
 * are short.
 */
const recentMs = 30_000;
/** Frames further apart than this mean that the video paused. */
const pauseMs = lastSeenBadMs;

interface Interval {
  ms: number;
  /** How much video there had been when it ended. */
  endedAtMs: number;
}

/** Measures the keyframe interval of one publisher, by decode times in milliseconds. */
export class KeyframeMeter {
  #newestMs: number | undefined;
  /** The recent intervals that are longer than all later ones, so the first is the longest. The newest one is always kept. */
  #longest: Interval[] = [];
  /** All video, without its pauses. */
  #videoMs = 0;
  /** Video since the last keyframe, or since the first frame. */
  #sinceMs = 0;
  /** There has been a keyframe, and the video hasn't paused since: the next keyframe ends an interval. */
  #isCounting = false;

  add(timeMs: number, keyframe: boolean): void {
    if (isTimeJump(this.#newestMs, timeMs)) this.#restart();
    const newestMs = Math.max(this.#newestMs ?? timeMs, timeMs);
    this.#count(newestMs - (this.#newestMs ?? timeMs));
    this.#newestMs = newestMs;
    if (!keyframe) return;
    if (this.#isCounting) this.#end({ ms: this.#sinceMs, endedAtMs: this.#videoMs });
    this.#isCounting = true;
    this.#sinceMs = 0;
  }

  /** The longest of the last intervals in seconds, or the time since the last keyframe if the next is overdue; undefined until known. */
  get intervalSeconds(): number | undefined {
    const ms = this.isOverdue ? this.#sinceMs : this.#longest[0]?.ms;
    return ms === undefined ? undefined : ms / 1000;
  }

  /** Whether the next keyframe takes longer than is good, and longer than recent ones took. */
  get isOverdue(): boolean {
    return this.#sinceMs > Math.max(this.#longest[0]?.ms ?? 0, keyframeWarnSeconds * 1000);
  }

  #count(stepMs: number): void {
    if (stepMs > pauseMs) {
      this.#isCounting = false;
      return;
    }
    this.#videoMs += stepMs;
    this.#sinceMs += stepMs;
  }

  #end(interval: Interval): void {
    const isRecent = ({ endedAtMs }: Interval) => interval.endedAtMs - endedAtMs < recentMs;
    this.#longest = [...this.#longest.filter((each) => isRecent(each) && each.ms > interval.ms), interval];
  }

  #restart(): void {
    this.#newestMs = undefined;
    this.#longest = [];
    this.#sinceMs = 0;
    this.#isCounting = false;
  }
}
