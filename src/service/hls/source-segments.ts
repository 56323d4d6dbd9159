import { leastLengthMs } from '../media/rounding.ts';
import type { AudioConfig } from '../media/track-config.ts';
import { CutRule } from './cut-rule.ts';
import type { CutterOptions } from './cutter-options.ts';
import { MediaQueue } from './media-queue.ts';
import { OpenSegment } from './open-segment.ts';
import { type PlaylistTargets, requireTargets } from './playlist-targets.ts';
import type { ProgramClock } from './program-clock.ts';
import type { SegmentPlaces } from './segment-places.ts';
import { SourcePlacing } from './segment-placing.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';
import type { VideoInput } from './video-track.ts';
import type { WaitingMedia } from './waiting-media.ts';

export interface SourceSegmentsOptions extends CutterOptions {
  /** The least length of segments, and the wanted length of parts. */
  targetMs: number;
  partMs: number;
  /** Gives the segments their places. */
  places: SegmentPlaces;
  /** The promise that the playlist has already made. */
  promised: PlaylistTargets | undefined;
}

/**
 * The segments of a source, one after another: begins and ends them as a {@link Segmenter} says, and publishes them in the plan.
 * It owns the open segment, the timeline, the wall clock between segments, and the playlist's promise. Times in milliseconds.
 */
export class SourceSegments {
  /** Decides how long segments are. */
  readonly #rule: CutRule;
  readonly #clock: ProgramClock;
  readonly #plan: SegmentPlan;
  readonly #queue: MediaQueue;
  #open: OpenSegment | undefined;
  #timeline: number;
  #newTimeline = false;
  /** When the first media arrived while no segment was open. */
  #idleSinceMs: number | undefined;

  constructor({ targetMs, partMs, places, promised, ...cutter }: SourceSegmentsOptions) {
    const { bounds, clock, plan } = cutter;
    this.#rule = new CutRule({ aimMs: targetMs, toleranceMs: bounds.cutToleranceMs, partMs }, promised);
    this.#clock = clock;
    this.#plan = plan;
    this.#timeline = plan.firstTimeline;
    // A segment begins when its first part is made, and the targets are known before that.
    const targets = () => requireTargets(this.#rule.targets);
    this.#queue = new MediaQueue({ ...cutter, placing: new SourcePlacing(plan, places), targets });
    if (this.#rule.targets) plan.promise(this.#rule.targets);
  }

  get open(): OpenSegment | undefined {
    return this.#open;
  }

  /** The number of the timeline, as in `PlacedUnit`. */
  get timeline(): number {
    return this.#timeline;
  }

  get rule(): Pick<CutRule, 'aimMs' | 'longestMs' | 'dividedMs' | 'isDue'> {
    return this.#rule;
  }

  /** The media that is in no part yet. */
  get media(): WaitingMedia {
    return this.#queue.media;
  }

  /** The audio configuration of the segment being made; undefined before its first part, and without audio. */
  get madeAudioConfig(): AudioConfig | undefined {
    return this.#queue.madeConfigs?.audio;
  }

  /** Whether the open segment holds as much as it may. */
  get isFull(): boolean {
    return this.#queue.isFull;
  }

  /** Makes the parts whose audio has arrived, or is no longer waited for; `newestMs` is how far the video has arrived. */
  advance(newestMs?: number): void {
    this.#queue.advance(newestMs);
  }

  /** Makes every part that was decided. */
  flush(): void {
    this.#queue.flush();
  }

  /** End of the open segment's video if no more comes, bounded, since its last frame may seem to last for too long. */
  findVideoEnd({ startMs }: OpenSegment): number {
    return Math.min(Math.max(this.media.video.finish() ?? 0, startMs + leastLengthMs), startMs + this.#rule.longestMs);
  }

  /** Adds a frame. Returns when it is decoded, on the moved timeline of `VideoTrack`. */
  addVideo(frame: VideoInput): number {
    if (frame.keyframe && frame.held) this.#rule.forgetKeyframe();
    else if (frame.keyframe) this.#rule.addKeyframe(frame.timeMs);
    return this.media.video.push(frame);
  }

  /** Media has arrived at this time: if no segment is open, the wall clock runs from here until one begins. */
  noteArrival(timeMs: number): void {
    this.#idleSinceMs ??= this.#open === undefined ? timeMs : undefined;
  }

  /** Begins a segment at the newest frame, after audio only or as the first; audio from before the first is dropped. */
  beginVideo(startMs: number): void {
    if (this.#open) this.endAudio(Math.max(startMs, this.#open.partStartMs));
    else {
      this.media.audio.dropBefore(startMs);
      this.#endIdle(startMs);
    }
    this.#begin('video', startMs);
  }

  /** Begins the first segment of a timeline that has audio only; its frames last `frameMs`. */
  beginAudio(startMs: number, frameMs: number): void {
    this.#plan.promise(this.#rule.settleAudio(frameMs));
    this.#endIdle(startMs);
    this.#begin('audio', startMs);
  }

  /** The segment ends before the frame at `limit`, which is the first of the next one, `leadMs` after its start. */
  cutVideo(limit: number, endMs: number, leadMs = 0): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#settle(open, endMs);
    open.endVideo(limit, endMs, endMs);
    this.#plan.cut(open.planned, endMs);
    this.#begin('video', endMs, leadMs);
  }

  /** Audio only ends at `endMs`, and more follows. */
  cutAudio(endMs: number): void {
    if (this.#open === undefined || endMs <= this.#open.startMs) return;
    this.endAudio(endMs);
    this.#begin('audio', endMs);
  }

  /** The video ends at `endMs`, or where its parts do: audio only follows. */
  loseVideo(endMs: number): void {
    const endsAtMs = this.endVideo(endMs);
    this.media.video.restart();
    this.#begin('audio', endsAtMs);
  }

  /** The video ends at `endMs`; the next segment begins with this keyframe of another configuration. Returns where. */
  changeVideo(endMs: number, frame: VideoInput): number {
    const open = this.#open;
    const endsAtMs = Math.min(endMs, (open?.startMs ?? endMs) + this.#rule.longestMs);
    this.endVideo(endsAtMs);
    this.#clock.move(endMs - endsAtMs);
    this.media.video.restart();
    const startMs = this.addVideo(frame);
    // The promise cut off the end of the segment: no segment has the audio of that time.
    if (endMs > endsAtMs) this.media.audio.dropBefore(startMs);
    this.#begin('video', startMs);
    return startMs;
  }

  /**
   * Ends the open segment, at `endMs` or with its parts, and returns that end. `allAudio`: its last part takes all audio that is
   * there.
   */
  endVideo(endMs: number, { allAudio = false } = {}): number {
    const open = this.#open;
    if (open === undefined) return endMs;
    this.#settle(open, endMs);
    this.#rule.forgetKeyframe();
    const endsAtMs = open.endVideo(this.media.video.count, endMs);
    if (allAudio) this.#queue.closeAudio();
    this.#finish(open, endsAtMs);
    return endsAtMs;
  }

  /** Ends the open segment, which has audio only. */
  endAudio(endMs: number): void {
    const open = this.#open;
    if (open === undefined) return;
    // If audio stops as well, video may come back much later: keep the segment within the promise.
    const endsAtMs = Math.min(endMs, open.startMs + this.#rule.longestMs);
    open.cutAudio(endsAtMs);
    open.endAudio(endsAtMs);
    this.#finish(open, endsAtMs);
    this.#clock.move(endMs - endsAtMs);
  }

  /** The media jumps, and its last segment has ended; `pausedMs` is how much longer the wall clock ran. */
  restart(pausedMs: number): void {
    this.media.restart();
    this.#newTimeline = true;
    this.#idleSinceMs = undefined;
    this.#clock.move(pausedMs);
  }

  /** The next units are on another timeline. */
  startTimeline(): void {
    this.#timeline += 1;
  }

  #begin(kind: PlannedSegment['kind'], startMs: number, leadMs = 0): void {
    const planned = this.#plan.begin(this.#timeline, kind, startMs);
    const findTarget = () => this.#rule.targets?.partMs;
    this.#open = new OpenSegment(this.#queue, { planned, newTimeline: this.#newTimeline, leadMs, findTarget });
    this.#newTimeline = false;
  }

  #finish(open: OpenSegment, endMs: number): void {
    this.#plan.cut(open.planned, endMs);
    this.#queue.flush();
    this.#open = undefined;
  }

  #endIdle(startMs: number): void {
    this.#clock.move(Math.max(startMs - (this.#idleSinceMs ?? startMs), 0));
    this.#idleSinceMs = undefined;
  }

  /** A segment with video ends there: the first of all settles the playlist's promise. */
  #settle({ startMs }: OpenSegment, endMs: number): void {
    if (this.#rule.targets) return;
    const { fps, last } = this.media.video;
    const fpsPromised = last?.config.nominalFps !== undefined;
    this.#plan.promise(this.#rule.settle(endMs - startMs, { fps, fpsPromised }));
  }
}
