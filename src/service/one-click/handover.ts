import { type ConfigUnit, decodeMs, isKeyframe, type MediaUnit, type VideoUnit } from '../media/media-unit.ts';
import { isSameConfig } from '../media/track-config.ts';

/** How far behind the next encoder may be when it takes over, in seconds: viewers wait that long. */
const inStepSeconds = 0.5;
/** The longest time that the running encoder's frames are held back for the next one's, in seconds. */
const maxHeldSeconds = 1.5;

export interface HandoverOptions {
  /** The frame rate of both encoders. */
  fps: number;
  /** When frame 0 is decoded, in milliseconds. */
  originMs: number;
  /** Takes the units that go out, each frame once and in order. */
  onUnit: (unit: MediaUnit) => void;
  /** From a keyframe on, the next encoder's frames go out. The running one isn't needed any more. */
  onDone: () => void;
}

/**
 * Hands over from a running video encoder to the next one, which encodes the same frames beside it: at a keyframe of the next one, once
 * it keeps up. No frame is missing, repeated or moved.
 *
 * The running one's frames from a keyframe on are held back until the next one has its own. If it has none there, they go out after
 * all, and the next keyframe is tried.
 */
export class Handover {
  readonly #options: HandoverOptions;
  /** The running encoder's frames since the keyframe at which it is to end. */
  #held: VideoUnit[] = [];
  /** The next encoder's frames since its newest keyframe. */
  #ready: VideoUnit[] = [];
  #config: ConfigUnit | undefined;
  #nextConfig: ConfigUnit | undefined;
  #isDone = false;

  constructor(options: HandoverOptions, config: ConfigUnit | undefined) {
    this.#options = options;
    this.#config = config;
  }

  /** Takes a unit of the running encoder. */
  takeRunning(unit: MediaUnit): void {
    if (this.#isDone) return;
    const { fps, onUnit } = this.#options;
    if (unit.type === 'config') this.#config = unit;
    if (unit.type !== 'video') onUnit(unit);
    else if (this.#held.length > 0 || (isKeyframe(unit) && this.#isInStep(unit))) this.#held.push(unit);
    else onUnit(unit);
    if (this.#held.length > maxHeldSeconds * fps) this.#release();
    this.#tryEnd();
  }

  /** Takes a unit of the next encoder. */
  takeNext(unit: MediaUnit): void {
    if (this.#isDone) this.#options.onUnit(unit);
    else if (unit.type === 'config') this.#nextConfig = unit;
    else if (unit.type === 'video') {
      if (isKeyframe(unit)) this.#ready = [unit];
      else if (this.#ready.length > 0) this.#ready.push(unit);
      this.#tryEnd();
    }
  }

  /** Gives up the next encoder: the held frames of the running one go out. */
  cancel(): void {
    this.#release();
  }

  #tryEnd(): void {
    const [held] = this.#held;
    const [ready] = this.#ready;
    const newest = this.#ready.at(-1);
    if (held === undefined || ready === undefined || newest === undefined) return;
    const { fps, onUnit, onDone } = this.#options;
    const seam = this.#frameOf(ready);
    if (seam >= this.#frameOf(held)) {
      // One of them may have missed a frame, and its keyframe is a little later.
      const before = this.#held.filter((unit) => this.#frameOf(unit) < seam);
      const last = before.at(-1);
      if (last !== undefined && this.#frameOf(last) < seam - 1 && before.length === this.#held.length) return;
      for (const unit of before) onUnit(unit);
      this.#isDone = true;
      this.#held = [];
      const { config } = this.#nextConfig ?? {};
      if (this.#nextConfig && config && !isSameConfig(this.#config?.config, config)) onUnit(this.#nextConfig);
      for (const unit of this.#ready) onUnit(unit);
      onDone();
    } else if (this.#frameOf(newest) > this.#frameOf(held) + inStepSeconds * fps) this.#release();
  }

  #release(): void {
    for (const unit of this.#held.splice(0)) this.#options.onUnit(unit);
  }

  #isInStep(unit: VideoUnit): boolean {
    const newest = this.#ready.at(-1);
    if (newest === undefined) return false;
    return this.#frameOf(newest) >= this.#frameOf(unit) - Math.ceil(inStepSeconds * this.#options.fps);
  }

  #frameOf(unit: VideoUnit): number {
    const { fps, originMs } = this.#options;
    return Math.round(((decodeMs(unit) - originMs) * fps) / 1000);
  }
}
