import { compositionMs, decodeMs, type PlacedUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import type { EncoderStart } from './absence.ts';
import { Follower } from './follower.ts';
import type { PackagedSegment, SegmentSink, SegmentTracks } from './packaged-segment.ts';
import { defaultPackagerBounds, type PackagerBounds } from './packager-bounds.ts';
import { ProgramClock } from './program-clock.ts';
import { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlan } from './segment-plan.ts';

export interface RenditionPackagerOptions {
  /** Takes segments part by part as they are made. */
  sink: SegmentSink;
  /** Hears of each segment when it is whole, after the sink. */
  onSegment?: (segment: PackagedSegment) => void;
  /** Hears what plays, before the first segment and whenever that changes. */
  onTracks?: (tracks: SegmentTracks) => void;
  /** The segments of its source, which it has too. */
  plan: SegmentPlan;
  bounds?: PackagerBounds;
}

/**
 * Makes fMP4 segments of one rendition: those of its source's plan, with the places they have there, from the units that its source
 * handed to `onPlaced`, encoded anew. Single use, as the packager of its source is.
 */
export class RenditionPackager {
  readonly #follower: Follower;
  #timeline: number;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;
  #ended = false;

  constructor({
    sink,
    onSegment = () => {},
    onTracks = () => {},
    plan,
    bounds = defaultPackagerBounds,
  }: RenditionPackagerOptions) {
    this.#timeline = plan.firstTimeline;
    // Its wall clock is the plan's.
    const clock = new ProgramClock(0);
    this.#follower = new Follower({ bounds, clock, maker: new SegmentMaker(clock, onTracks), sink, onSegment, plan });
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
      this.#follower.startTimeline(unit.timeline);
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

  /** Media is missing: what it was making is a gap, and it goes on with the next segment. */
  breakOff(): void {
    if (!this.#ended) this.#follower.breakOff();
  }

  /** No more media comes for now: it makes what is whole, then gaps, until media comes again. */
  leave(): void {
    if (!this.#ended) this.#follower.leave();
  }

  /** As {@link leave}, where nothing more comes of encoders that have begun either. */
  leaveAtOnce(): void {
    if (!this.#ended) this.#follower.leaveAtOnce();
  }

  /** An encoder begins with this picture, whose media comes later: said at once. */
  awaitEncoder(start: EncoderStart): void {
    if (!this.#ended) this.#follower.awaitEncoder(start);
  }

  /** The oldest encoder awaited has ended, said after its media; `isWhole`: nothing of it is missing. */
  encoderEnded(isWhole: boolean): void {
    if (!this.#ended) this.#follower.encoderEnded(isWhole);
  }

  /** Makes the last segment of what has come; whatever is pushed later is ignored. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#follower.finish();
  }

  /** Each encoder announces its parameters: only others than before are a change. */
  #announce(config: VideoConfig | AudioConfig): void {
    if (config.track === 'video') {
      if (!isSameConfig(this.#video, config)) this.#video = config;
      return;
    }
    if (isSameConfig(this.#audio, config)) return;
    this.#audio = config;
    this.#follower.setAudioConfig(config);
  }
}
