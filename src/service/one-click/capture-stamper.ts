import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import type { Clock } from '../ports.ts';
import { CaptureMarkReader, timestampOriginSeconds } from './capture-marks.ts';
import { CaptureOffset } from './capture-offset.ts';

export interface CaptureStamperOptions {
  clock: Pick<Clock, 'now'>;
  /** Takes the units, in order, keyframes with a stamp in them. */
  onUnit: (unit: MediaUnit) => void;
}

/** A unit, and when ffmpeg gave it out, epoch milliseconds. */
interface EncodedUnit {
  unit: MediaUnit;
  encodedAtMs: number;
}

/** Puts into each keyframe of one ffmpeg when it was captured and when it was encoded. Single use. */
export class CaptureStamper {
  readonly #options: CaptureStamperOptions;
  readonly #marks = new CaptureMarkReader();
  readonly #offset = new CaptureOffset();
  /** Pictures are marked before they are encoded, on another pipe: until the first mark is read, units wait for it. */
  #waiting: EncodedUnit[] | undefined = [];

  constructor(options: CaptureStamperOptions) {
    this.#options = options;
  }

  /** Takes what the capture marks' pipe gave. */
  mark(bytes: Buffer): void {
    const atMs = this.#options.clock.now();
    for (const timestampMs of this.#marks.push(bytes)) {
      this.#offset.add(timestampMs, atMs);
      this.#release();
    }
  }

  /** Takes the next unit that ffmpeg gave. */
  push(unit: MediaUnit): void {
    const encoded = { unit, encodedAtMs: this.#options.clock.now() };
    if (this.#waiting === undefined) {
      this.#options.onUnit(this.#stamp(encoded));
      return;
    }
    // A whole GOP without a mark: this ffmpeg gives none.
    const isLate = isKeyframe(unit) && this.#waiting.some((before) => isKeyframe(before.unit));
    this.#waiting.push(encoded);
    if (isLate) this.#release();
  }

  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const encoded of waiting) this.#options.onUnit(this.#stamp(encoded));
  }

  #stamp({ unit, encodedAtMs }: EncodedUnit): MediaUnit {
    if (!isKeyframe(unit)) return unit;
    const { config, data, pts, timescale } = unit;
    const shownMs = (pts * 1000) / timescale - timestampOriginSeconds * 1000;
    const capturedAtMs = this.#offset.findCapture(shownMs);
    if (capturedAtMs === undefined) return unit;
    // The wall clock may have been set back in between.
    const captured = { capturedAtMs: Math.min(capturedAtMs, encodedAtMs), encodedAtMs };
    const stamped = config.format.insertCaptureStamp?.(data, config, captured);
    return stamped === undefined ? unit : { ...unit, data: stamped, captured };
  }
}
