import { compositionMs, decodeMs, type PlacedUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import type { EncoderStart } from './absence.ts';
import { Follower } from './follower.ts';
import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import { defaultPackagerBounds, type PackagerBounds } from './packager-bounds.ts';
import { ProgramClock } from './program-clock.ts';
import { RenditionSegments } from './rendition-segments.ts';
import { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlan } from './segment-plan.ts';

export interface RenditionPackagerOptions {
  /** Takes segments part by part as they are made. */
  sink: SegmentSink;
  /** Called with each whole segment, after the sink. */
  onSegment: (segment: PackagedSegment) => void;
  /** The segments of its source: it makes the same ones. */
  plan: SegmentPlan;
  bounds?: PackagerBounds;
}

/**
 * Makes the fMP4 segments of one rendition: those of its source's plan, in the places they have there. Its units are those that its
 * source passed to `onPlaced`, encoded for the rendition. Single use, as the packager of its source is.
 */
export class RenditionPackager {
  readonly #segments: RenditionSegments;
  readonly #follower: Follower;
  #timeline: number;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;
  #ended = false;

  constructor({ sink, onSegment, plan, bounds = defaultPackagerBounds }: RenditionPackagerOptions) {
    this.#timeline = plan.firstTimeline;
    // The plan dates its segments.
    const clock = new ProgramClock(0);
    this.#segments = new RenditionSegments({ bounds, clock, maker: new SegmentMaker(clock), sink, onSegment, plan });
    this.#follower = new Follower(this.#segments, bounds);
  }

  /** Takes the next unit; its data is kept, not copied, until its part is made. */
  push(unit: PlacedUnit): void {
    if (this.#ended) return;
    if (unit.type === 'config') {
      this.#announce(unit.config);
      return;
    }
    if (unit.timeline < this.#timeline) return;
    if (unit.timeline > this.#timeline) {
      this.#timeline = unit.timeline;
      this.#segments.startTimeline(unit.timeline);
    }
    const timeMs = decodeMs(unit);
    if (unit.type === 'audio') {
      if (this.#audio) this.#follower.pushAudio(timeMs, unit.data);
      return;
    }
    const config = this.#video;
    if (config === undefined) return;
    const { keyframe, independent, data } = unit;
    this.#follower.pushVideo({ timeMs, compositionTimeMs: compositionMs(unit), keyframe, independent, data, config });
  }

  /** Media is missing: the open segment becomes a gap, and the next one is made as usual. */
  breakOff(): void {
    if (!this.#ended) this.#segments.breakOff();
  }

  /** No more media comes for now: makes what is whole, then gaps, until media comes again. */
  leave(): void {
    if (!this.#ended) this.#segments.leave();
  }

  /** As {@link leave}, and encoders that have begun produce nothing more either. */
  leaveAtOnce(): void {
    if (!this.#ended) this.#segments.leaveAtOnce();
  }

  /** An encoder begins with this frame, whose media comes later. Call it at once. */
  awaitEncoder(start: EncoderStart): void {
    if (!this.#ended) this.#segments.awaitEncoder(start);
  }

  /** The oldest awaited encoder has ended. Call it after its media; `isWhole`: nothing of that is missing. */
  encoderEnded(isWhole: boolean): void {
    if (!this.#ended) this.#segments.encoderEnded(isWhole);
  }

  /** Makes the last segment of what has arrived; ignores whatever is pushed later. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#segments.finish();
  }

  /** Each encoder announces its parameters: only different ones are a change. */
  #announce(config: VideoConfig | AudioConfig): void {
    if (config.track === 'video') {
      if (!isSameConfig(this.#video, config)) this.#video = config;
      return;
    }
    if (isSameConfig(this.#audio, config)) return;
    this.#audio = config;
    this.#segments.media.audio.setConfig(config);
  }
}
