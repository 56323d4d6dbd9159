import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { longestSegmentMs, type PlaylistTargets } from './playlist-targets.ts';
import type { ProgramClock } from './program-clock.ts';
import type { SegmentMaker, TrackConfigs } from './segment-maker.ts';
import type { SegmentPlacing } from './segment-placing.ts';
import type { PlannedSegment } from './segment-plan.ts';
import type { WaitingMedia } from './waiting-media.ts';

/** A segment that begins. Times in milliseconds. */
export interface SegmentBegin {
  startMs: number;
  /** The segment is the first of a new timeline. */
  newTimeline: boolean;
  planned: PlannedSegment;
  /** Drop audio from before this time that is not part of the segment before. */
  audioFromMs?: number | undefined;
  /** It has the tracks of the segment before, though its first frame may come late in it. */
  continues?: boolean;
}

/** A part that has been decided. */
export interface DecidedPart {
  /** Video frames in it. */
  frames: number;
  startMs: number;
  endMs: number;
  /** The longest duration that the part may claim, even if it lasts longer because nothing can stand in for a frame. */
  targetMs: number;
  /** The part has the audio that starts before this time. */
  audioEndMs: number;
}

/** A part that the rendition does not have. */
export type MissingPart = Pick<DecidedPart, 'startMs' | 'endMs' | 'targetMs'>;

/** The segment whose parts are being made. */
interface MadeSegment extends SegmentBegin {
  /** {@link ProgramClock.offsetMs} when the segment was decided on. */
  clockOffsetMs: number | undefined;
  /** Undefined until its first part. */
  configs: TrackConfigs | undefined;
  /** Known together with `configs`. */
  shiftMs: number;
  /** The segment has no place, so it isn't made. */
  discarded: boolean;
  /** It began as a gap: the rendition has no media of it. */
  missing: boolean;
}

export interface SegmentAssemblyOptions {
  media: WaitingMedia;
  bounds: PackagerBounds;
  clock: ProgramClock;
  maker: SegmentMaker;
  sink: SegmentSink;
  onSegment: (segment: PackagedSegment) => void;
  placing: SegmentPlacing;
  /** The playlist's promise; read when a segment begins. */
  targets: () => PlaylistTargets;
}

const noBytes = Buffer.alloc(0);

/**
 * Makes the segments that were decided, part by part, out of {@link WaitingMedia}, and passes them to the sink. It owns the segment
 * being made: its place, its tracks, and how much of it was passed on.
 */
export class SegmentAssembly {
  readonly #options: SegmentAssemblyOptions;
  #made: MadeSegment | undefined;
  #hasSegment = false;

  constructor(options: SegmentAssemblyOptions) {
    this.#options = options;
  }

  /** The segment that is being made. */
  get made(): Readonly<Pick<MadeSegment, 'configs' | 'newTimeline' | 'continues' | 'discarded'>> | undefined {
    return this.#made;
  }

  /** Whether a segment is whole: nothing plays before that. */
  get hasSegment(): boolean {
    return this.#hasSegment;
  }

  /** Whether the parts decided next will have audio. */
  get audioExpected(): boolean {
    const { media, maker } = this.#options;
    const configs = this.#made?.configs;
    if (configs !== undefined) return configs.audio !== undefined;
    return media.audio.count > 0 || maker.hadAudio || (maker.untouched && media.audio.config !== undefined);
  }

  /** Whether the open segment holds as much as it may. */
  get isFull(): boolean {
    const { bounds, maker, media } = this.#options;
    const samples = media.count + maker.open.samples;
    const sizeBytes = media.sizeBytes + maker.open.sizeBytes;
    const isMore = media.video.count + maker.open.samples > 1;
    return isMore && (sizeBytes > bounds.maxSegmentBytes || samples > bounds.maxSegmentSamples);
  }

  begin(segment: SegmentBegin, clockOffsetMs: number | undefined): void {
    const { media, placing } = this.#options;
    if (segment.audioFromMs !== undefined) media.audio.dropBefore(segment.audioFromMs);
    const discarded = placing.isDropped(segment.planned);
    this.#made = { ...segment, clockOffsetMs, configs: undefined, shiftMs: 0, discarded, missing: false };
  }

  addPart({ frames, startMs, endMs, targetMs, audioEndMs }: DecidedPart): void {
    const made = this.#made;
    if (made === undefined) return;
    const { media, maker, placing, sink } = this.#options;
    const video = media.video.take(frames);
    const continuedConfig = made.continues ? maker.configs.video : undefined;
    const configs = made.configs ?? this.#chooseTracks(video?.config ?? continuedConfig, made.startMs);
    const audio = configs.audio ? media.audio.takeBefore(audioEndMs, configs.audio) : undefined;
    if (configs.audio === undefined) media.audio.dropBefore(audioEndMs);
    if (made.discarded || (video === undefined && audio === undefined)) return;
    if (made.configs === undefined) this.#start(made, configs);
    const durationMs = Math.min(endMs - startMs, targetMs);
    sink.addPart(maker.addPart({ video, audio, durationMs, shiftMs: made.shiftMs }));
    placing.addedPart(made.planned, { endMs, targetMs });
  }

  addMissing({ startMs, endMs, targetMs }: MissingPart): void {
    const made = this.#made;
    if (made === undefined || made.discarded) return;
    const { sink } = this.#options;
    if (made.configs === undefined && !made.missing && made.planned.place) {
      const { place, programDateTimeMs } = made.planned;
      sink.beginGap({ place, programDateTimeMs, startMs: made.startMs });
      made.missing = true;
    }
    const durationSeconds = Math.min(endMs - startMs, targetMs) / 1000;
    sink.addPart({ bytes: noBytes, durationSeconds, independent: false, gap: true });
  }

  /** The segment will not be whole. `expectsPart`: one more part of it will come. */
  breakOff(expectsPart: boolean): void {
    if (this.#made?.configs !== undefined && !this.#made.discarded) this.#options.sink.breakOff(expectsPart);
  }

  complete(endMs: number, incomplete: boolean): void {
    const made = this.#made;
    this.#made = undefined;
    if (made === undefined || made.discarded) return;
    const { clock, maker, placing, sink, onSegment, targets } = this.#options;
    const durationMs = endMs - made.startMs;
    if (made.configs === undefined) {
      clock.move(durationMs);
      if (placing.leftEmpty(made.planned)) this.appendGap(made.planned);
      return;
    }
    this.#hasSegment = true;
    // A publisher may send any composition times: no segment is longer than the playlist promises.
    const saidMs = Math.min(durationMs, longestSegmentMs(targets()));
    const segment = { ...maker.complete(saidMs), ...(incomplete && { gap: true }) };
    clock.move(durationMs - saidMs);
    sink.complete(segment);
    onSegment(segment);
    placing.completed(made.planned, segment.durationSeconds);
  }

  /** The rendition has no media of this segment. */
  appendGap(planned: PlannedSegment): void {
    if (planned.place === undefined || planned.endMs === undefined) return;
    const { sink, targets } = this.#options;
    const { place, startMs, endMs, programDateTimeMs } = planned;
    const durationMs = Math.min(endMs - startMs, longestSegmentMs(targets()));
    sink.appendGap({ place, startMs, programDateTimeMs, durationSeconds: durationMs / 1000 });
  }

  #start(made: MadeSegment, configs: TrackConfigs): void {
    const { maker, sink, placing, targets } = this.#options;
    const { planned, newTimeline, startMs, clockOffsetMs } = made;
    made.configs = configs;
    const start = maker.begin({
      configs,
      startMs,
      newTimeline,
      targets: targets(),
      clockOffsetMs,
      place: (own) => placing.place(planned, own),
    });
    made.shiftMs = start.place.shiftMs;
    sink.begin(start);
  }

  /**
   * After a segment with audio, the next has audio too, however late it comes. Otherwise late audio begins with the next segment.
   */
  #chooseTracks(video: TrackConfigs['video'], startMs: number): TrackConfigs {
    const { bounds, maker, media } = this.#options;
    const { startMs: audioStartMs = 0 } = media.audio;
    const audio = media.audio.firstConfig ?? (maker.hadAudio ? media.audio.config : undefined);
    const late = video !== undefined && audioStartMs - startMs > bounds.audioLateMs && !maker.hadAudio;
    return { ...(video && { video }), ...(audio && !late && { audio }) };
  }
}
