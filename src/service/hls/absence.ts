import type { MediaQueue } from './media-queue.ts';
import { renditionRoundingMs } from './rounding.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';

/** The keyframe that an encoder begins with: when it is shown, on a timeline of the plan. */
export interface EncoderStart {
  timeline: number;
  startMs: number;
}

/** What a rendition still has of a segment that it is left in: where that ends, and what hands it on. */
export interface SegmentRest {
  endMs: number;
  give: () => void;
}

/** The rest of a segment is handed on when its source has made this many parts more. */
const restAfterParts = 2;

/**
 * A rendition that is not made for now: its playlist stays live, with a gap for each part and segment of its source
 * (EXT-X-GAP, rfc8216bis §4.4.4.7; `GAP=YES`, §4.4.4.9), so that players change to another rendition and may come back.
 *
 * What an encoder that has begun will still bring is waited for.
 */
export class Absence {
  readonly #plan: SegmentPlan;
  readonly #queue: MediaQueue;
  /** Encoders that have begun and not given out everything, oldest first. */
  readonly #awaited: EncoderStart[] = [];
  #isOn = false;
  /** The segment that gaps are being added to, and how far it is told of. */
  #open: PlannedSegment | undefined;
  #toldMs = 0;
  /** Of the open segment, where the rendition was left in the middle of it: until its source has made so many parts. */
  #left: { rest: SegmentRest | undefined; untilParts: number } | undefined;

  constructor(plan: SegmentPlan, queue: MediaQueue) {
    this.#plan = plan;
    this.#queue = queue;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  awaitEncoder(start: EncoderStart): void {
    this.#awaited.push(start);
  }

  /** Nothing more comes of the encoders that have begun. */
  forgetEncoders(): void {
    this.#awaited.length = 0;
  }

  /** The oldest encoder that was awaited has given out everything. */
  encoderEnded(): void {
    this.#awaited.shift();
  }

  /** Begins between two segments. */
  begin(): void {
    this.#isOn = true;
    this.#open = undefined;
  }

  /**
   * Begins in the middle of a segment. Players have been told that it is a gap.
   *
   * hls.js 1.7 passes over that, and over missing parts, until the next segment is a gap as a whole, but for a part that has come and
   * that it has not begun to load: then it changes to another rendition at once. So the rest is handed on a little later, when it
   * has loaded what came before. Where it comes upon a missing part right after one that it has loaded it stands still for
   * ever: of this segment none are told of.
   */
  beginInside(open: PlannedSegment, rest: SegmentRest): void {
    this.#isOn = true;
    this.#open = open;
    this.#toldMs = rest.endMs;
    this.#left = { rest, untilParts: open.parts.length + restAfterParts };
  }

  /** Tells of everything that is missing after the segment `last`, as far as the source has come; returns the last one told of. */
  tell(last: PlannedSegment | undefined, toleranceMs: number): PlannedSegment | undefined {
    if (!this.#isOn) return last;
    let told = last;
    for (;;) {
      if (this.#open === undefined) {
        const [next] = this.#plan.after(told);
        if (next?.place === undefined || this.#isAwaited(next, toleranceMs)) break;
        this.#queue.begin({ startMs: next.startMs, newTimeline: false, planned: next });
        this.#open = next;
        this.#toldMs = next.startMs;
        told = next;
      }
      const { parts } = this.#open;
      if (this.#left === undefined) for (const { endMs, targetMs } of parts) this.#tellUntil(endMs, targetMs);
      else if (parts.length >= this.#left.untilParts) this.#giveRest();
      if (!this.#open.isWhole) break;
      this.#endOpen(this.#open);
    }
    this.#queue.flush();
    return told;
  }

  /** Says which segments a rendition missed after `last`, before `until`. */
  tellMissed(last: PlannedSegment | undefined, until: PlannedSegment | undefined): void {
    for (const missed of this.#plan.after(last)) {
      if (missed === until) return;
      this.#queue.gap(missed);
    }
  }

  /** Media comes again, or nothing more: the segment that is told of ends where its source's does. */
  end(): void {
    if (!this.#isOn) return;
    if (this.#open) this.#endOpen(this.#open);
    this.#queue.flush();
    this.#isOn = false;
  }

  #giveRest(): void {
    if (this.#left === undefined) return;
    this.#left.rest?.give();
    this.#left.rest = undefined;
  }

  #endOpen({ startMs, endMs, parts }: PlannedSegment): void {
    this.#giveRest();
    const untilMs = endMs ?? Math.max(this.#toldMs, startMs + 1);
    const targetMs = this.#left ? undefined : parts.at(-1)?.targetMs;
    // What the source has not made yet: it waits for sound.
    while (targetMs !== undefined && untilMs - this.#toldMs > renditionRoundingMs) {
      this.#tellUntil(Math.min(this.#toldMs + targetMs, untilMs), targetMs);
    }
    this.#queue.end(untilMs, true);
    this.#open = undefined;
    this.#left = undefined;
  }

  #tellUntil(endMs: number, targetMs: number): void {
    if (endMs - this.#toldMs <= renditionRoundingMs) return;
    this.#queue.missing({ startMs: this.#toldMs, endMs, targetMs });
    this.#toldMs = endMs;
  }

  #isAwaited({ timeline, startMs }: PlannedSegment, toleranceMs: number): boolean {
    return this.#awaited.some((start) => start.timeline === timeline && start.startMs <= startMs + toleranceMs);
  }
}
