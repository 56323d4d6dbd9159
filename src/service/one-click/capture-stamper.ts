import { HoldBack } from '../lib/hold-back.ts';
import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import type { Clock } from '../ports.ts';
import { CaptureMarkReader, timestampOriginSeconds } from './capture-marks.ts';
import { CaptureOffset } from './capture-offset.ts';

export interface CaptureStamperOptions {
  clock: Pick<Clock, 'now'>;
  /** Takes the units, in order, keyframes with a stamp in them. */
  onUnit: (unit: MediaUnit) => void;
}

/** A unit, and when ffmpeg put it out, in epoch milliseconds. */
interface EncodedUnit {
  unit: MediaUnit;
  encodedAtMs: number;
}

/** Stamps each keyframe of one ffmpeg with when it was captured and when it was encoded. Single use. */
export class CaptureStamper {
  readonly #options: CaptureStamperOptions;
  readonly #marks = new CaptureMarkReader();
  readonly #offset = new CaptureOffset();
  /** Frames are marked before they are encoded, on another pipe: units are held back until the first mark is read. */
  readonly #units: HoldBack<EncodedUnit>;

  constructor(options: CaptureStamperOptions) {
    this.#options = options;
    this.#units = new HoldBack((encoded) => options.onUnit(this.#stamp(encoded)));
  }

  /** Takes the next bytes of the capture marks' pipe. */
  mark(bytes: Buffer): void {
    const atMs = this.#options.clock.now();
    for (const timestampMs of this.#marks.push(bytes)) {
      this.#offset.add(timestampMs, atMs);
      this.#units.release();
    }
  }

  /** Takes the next unit that ffmpeg put out. */
  push(unit: MediaUnit): void {
    // After a whole GOP without a mark, this ffmpeg makes none.
    const isLate = isKeyframe(unit) && this.#units.held.some((before) => isKeyframe(before.unit));
    this.#units.push({ unit, encodedAtMs: this.#options.clock.now() });
    if (isLate) this.#units.release();
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
