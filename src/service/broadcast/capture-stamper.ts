import { insertCaptureStamp } from '../media/capture-stamp.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { parseVideoTag } from '../media/flv-video.ts';
import { parseH264Config } from '../media/h264.ts';
import type { NalLengthBytes } from '../media/nal-unit.ts';
import { findTagRole } from '../media/tag-role.ts';
import type { Clock } from '../ports.ts';
import { CaptureMarkReader, timestampOriginSeconds } from './capture-marks.ts';
import { CaptureOffset } from './capture-offset.ts';

export interface CaptureStamperOptions {
  clock: Pick<Clock, 'now'>;
  /** Takes the tags, in order, keyframes with a stamp in them. */
  onTag: (tag: FlvTag) => void;
}

/** A tag, and when ffmpeg gave it out, epoch milliseconds. */
interface EncodedTag {
  tag: FlvTag;
  encodedAtMs: number;
}

/** Puts into each keyframe of one ffmpeg when it was captured and when it was encoded. Single use. */
export class CaptureStamper {
  readonly #options: CaptureStamperOptions;
  readonly #marks = new CaptureMarkReader();
  readonly #offset = new CaptureOffset();
  #nalLengthBytes: NalLengthBytes | undefined;
  /** Pictures are marked before they are encoded, on another pipe: until the first mark is read, tags wait for it. */
  #waiting: EncodedTag[] | undefined = [];

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

  /** Takes the next tag that ffmpeg gave. @throws {MediaFormatError} when its video is malformed */
  push(tag: FlvTag): void {
    const encoded = { tag, encodedAtMs: this.#options.clock.now() };
    if (this.#waiting === undefined) {
      this.#options.onTag(this.#stamp(encoded));
      return;
    }
    // A whole GOP without a mark: this ffmpeg gives none.
    const isLate = findTagRole(tag) === 'keyframe' && this.#waiting.some((before) => findTagRole(before.tag) === 'keyframe');
    this.#waiting.push(encoded);
    if (isLate) this.#release();
  }

  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const encoded of waiting) this.#options.onTag(this.#stamp(encoded));
  }

  #stamp({ tag, encodedAtMs }: EncodedTag): FlvTag {
    if (tag.kind !== 'video') return tag;
    const video = parseVideoTag(tag.body);
    if (video.kind === 'sequence-header') this.#nalLengthBytes = parseH264Config(video.record).nalLengthBytes;
    if (video.kind !== 'frame' || !video.keyframe || this.#nalLengthBytes === undefined) return tag;
    const shownMs = tag.timestampMs + video.compositionTimeMs - timestampOriginSeconds * 1000;
    const capturedAtMs = this.#offset.findCapture(shownMs);
    if (capturedAtMs === undefined) return tag;
    const header = tag.body.subarray(0, tag.body.length - video.data.length);
    // The wall clock may have been set back in between.
    const stamp = { capturedAtMs: Math.min(capturedAtMs, encodedAtMs), encodedAtMs };
    return { ...tag, body: Buffer.concat([header, insertCaptureStamp(video.data, this.#nalLengthBytes, stamp)]) };
  }
}
