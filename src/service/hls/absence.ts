import { leastLengthMs, renditionRoundingMs } from '../media/rounding.ts';
import type { MediaQueue } from './media-queue.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';

/** When the first keyframe of an encoder is shown, on a timeline of the plan. */
export interface EncoderStart {
  timeline: number;
  startMs: number;
}

/** The media that a rendition still has of the segment it was left in: its end, and the function that passes it on. */
export interface SegmentRest {
  endMs: number;
  give: () => void;
}

/** The rest of a segment is passed on when its source has made this many more parts. */
const restAfterParts = 2;

/**
 * A rendition that is not made for now: its playlist stays live, with a gap for each part and segment of its source
 * (EXT-X-GAP, rfc8216bis §4.4.4.7; `GAP=YES`, §4.4.4.9), so that players change to another rendition and may come back.
 *
 * It waits for the remaining output of encoders that have begun.
 */
export class Absence {
  readonly #plan: SegmentPlan;
  readonly #queue: MediaQueue;
  /** Encoders that have begun and still have output to come, oldest first. */
  readonly #awaited: EncoderStart[] = [];
  #isOn = false;
  /** The segment that gaps are being added to, and how far it has been reported. */
  #open: PlannedSegment | undefined;
  #reportedMs = 0;
  /** Set if the rendition was left inside the open segment. The rest waits until its source has made `untilParts` parts. */
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

  /** Encoders that have begun will produce nothing more. */
  forgetEncoders(): void {
    this.#awaited.length = 0;
  }

  /** The oldest awaited encoder has produced everything. */
  encoderEnded(): void {
    this.#awaited.shift();
  }

  /** Begins between two segments. */
  begin(): void {
    this.#isOn = true;
    this.#open = undefined;
  }

  /**
   * Begins in the middle of a segment. The playlist already says that it is a gap.
   *
   * hls.js 1.7 ignores that, and missing parts, until a whole segment is a gap. But if it meets a part that exists and that it
   * has not begun to load, it changes to another rendition at once: so the rest is passed on a little later, when hls.js has
   * loaded the parts before. If it meets a missing part right after one that it has loaded, it stalls for good: so the missing
   * parts of this segment are not reported.
   */
  beginInside(open: PlannedSegment, rest: SegmentRest): void {
    this.#isOn = true;
    this.#open = open;
    this.#reportedMs = rest.endMs;
    this.#left = { rest, untilParts: open.parts.length + restAfterParts };
  }

  /** Reports all media missing after the segment `last`, up to the source's newest. Returns the last segment it reported. */
  report(last: PlannedSegment | undefined, toleranceMs: number): PlannedSegment | undefined {
    if (!this.#isOn) return last;
    let reported = last;
    for (;;) {
      if (this.#open === undefined) {
        const [next] = this.#plan.after(reported);
        if (next?.place === undefined || this.#isAwaited(next, toleranceMs)) break;
        this.#queue.begin({ startMs: next.startMs, newTimeline: false, planned: next });
        this.#open = next;
        this.#reportedMs = next.startMs;
        reported = next;
      }
      const { parts } = this.#open;
      if (this.#left === undefined) for (const { endMs, targetMs } of parts) this.#reportUntil(endMs, targetMs);
      else if (parts.length >= this.#left.untilParts) this.#giveRest();
      if (!this.#open.isWhole) break;
      this.#endOpen(this.#open);
    }
    this.#queue.flush();
    return reported;
  }

  /** Reports the segments that a rendition missed after `last` and before `until`. */
  reportMissed(last: PlannedSegment | undefined, until: PlannedSegment | undefined): void {
    for (const missed of this.#plan.after(last)) {
      if (missed === until) return;
      this.#queue.gap(missed);
    }
  }

  /** Media is back, or the broadcast is over: the reported segment ends where its source's does. */
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
    const untilMs = endMs ?? Math.max(this.#reportedMs, startMs + leastLengthMs);
    const targetMs = this.#left ? undefined : parts.at(-1)?.targetMs;
    // Report the parts that the source hasn't made yet, too: they are waiting for audio.
    while (targetMs !== undefined && untilMs - this.#reportedMs > renditionRoundingMs) {
      this.#reportUntil(Math.min(this.#reportedMs + targetMs, untilMs), targetMs);
    }
    this.#queue.end(untilMs, true);
    this.#open = undefined;
    this.#left = undefined;
  }

  #reportUntil(endMs: number, targetMs: number): void {
    if (endMs - this.#reportedMs <= renditionRoundingMs) return;
    this.#queue.missing({ startMs: this.#reportedMs, endMs, targetMs });
    this.#reportedMs = endMs;
  }

  #isAwaited({ timeline, startMs }: PlannedSegment, toleranceMs: number): boolean {
    return this.#awaited.some((start) => start.timeline === timeline && start.startMs <= startMs + toleranceMs);
  }
}
