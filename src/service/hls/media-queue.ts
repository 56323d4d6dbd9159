import { AudioTrack } from './audio-track.ts';
import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { longestSegmentMs, type PlaylistTargets } from './playlist-targets.ts';
import type { SegmentMaker, TrackConfigs } from './segment-maker.ts';
import type { SegmentPlacing } from './segment-placing.ts';
import type { PlannedSegment } from './segment-plan.ts';
import { VideoTrack } from './video-track.ts';

/** What was decided and waits to be made: for late sound, or for the plan. Times in milliseconds. */
type Step =
  | { kind: 'begin'; segment: SegmentBegin; clockOffsetMs: number | undefined }
  | { kind: 'part'; frames: number; startMs: number; endMs: number; targetMs: number; audioEndMs: number }
  /** A part of the open segment that the rendition does not have. */
  | { kind: 'missing'; startMs: number; endMs: number; targetMs: number }
  /** The segment ends with the part before. */
  | { kind: 'end'; endMs: number; incomplete: boolean }
  | { kind: 'gap'; planned: PlannedSegment };

/** A segment that begins. */
export interface SegmentBegin {
  startMs: number;
  newTimeline: boolean;
  planned: PlannedSegment;
  /** Sound from before this is left out, that of the segment before apart. */
  soundFromMs?: number | undefined;
  /** It has the tracks of the segment before, though its first frame may come late in it. */
  goesOn?: boolean;
}

/** The segment whose parts are being made. */
interface MadeSegment extends SegmentBegin {
  clockOffsetMs: number | undefined;
  /** Undefined until its first part. */
  configs: TrackConfigs | undefined;
  /** Known with them. */
  shiftMs: number;
  discarded: boolean;
  /** The rendition has no media of it: it was begun as a gap. */
  missing: boolean;
}

const noBytes = Buffer.alloc(0);

export interface MediaQueueOptions {
  bounds: PackagerBounds;
  maker: SegmentMaker;
  sink: SegmentSink;
  onSegment: (segment: PackagedSegment) => void;
  placing: SegmentPlacing;
  /** What the playlist promises; asked when a segment begins. */
  targets: () => PlaylistTargets;
}

/**
 * The media that waits to be put into segments, and what was decided of it: makes one part after another as soon as its sound
 * has come, or is not waited for any longer.
 */
export class MediaQueue {
  readonly audio = new AudioTrack();
  readonly video = new VideoTrack();
  readonly #options: MediaQueueOptions;
  readonly #steps: Step[] = [];
  #made: MadeSegment | undefined;
  /** A segment is whole: before that nobody can play. */
  #hasSegment = false;
  #assignedFrames = 0;
  #newestMs = 0;

  constructor(options: MediaQueueOptions) {
    this.#options = options;
  }

  /** Frames at the front of the video that parts were decided for. */
  get assignedFrames(): number {
    return this.#assignedFrames;
  }

  /** What the segment whose parts are being made is coded with. */
  get configs(): TrackConfigs | undefined {
    return this.#made?.configs;
  }

  /** Whether there will be sound in what is decided next. */
  get soundExpected(): boolean {
    const { maker } = this.#options;
    const { configs } = this;
    if (configs !== undefined) return configs.audio !== undefined;
    return this.audio.count > 0 || maker.hadAudio || (maker.untouched && this.audio.config !== undefined);
  }

  /** The open segment has as much as it may have. */
  get isFull(): boolean {
    const { audio, video } = this;
    const { bounds, maker } = this.#options;
    const samples = video.count + audio.count + maker.open.samples;
    const sizeBytes = video.sizeBytes + audio.sizeBytes + maker.open.sizeBytes;
    const isMore = video.count + maker.open.samples > 1;
    return isMore && (sizeBytes > bounds.maxSegmentBytes || samples > bounds.maxSegmentSamples);
  }

  begin(segment: SegmentBegin): void {
    this.#steps.push({ kind: 'begin', segment, clockOffsetMs: this.#options.maker.clockOffsetMs });
  }

  /** `targetMs` is the longest that a part may be said to last; where nothing can stand in for a frame it may last longer. */
  part(frames: number, startMs: number, endMs: number, targetMs: number): void {
    this.#assignedFrames += frames;
    this.#steps.push({ kind: 'part', frames, startMs, endMs, targetMs, audioEndMs: endMs });
  }

  missing(startMs: number, endMs: number, targetMs: number): void {
    this.#steps.push({ kind: 'missing', startMs, endMs, targetMs });
  }

  /** More of the open segment is missing; `expectsPart`: one part will still come. */
  breakOff(expectsPart: boolean): void {
    if (this.#made?.configs !== undefined && !this.#made.discarded) this.#options.sink.breakOff(expectsPart);
  }

  end(endMs: number, incomplete = false): void {
    this.#steps.push({ kind: 'end', endMs, incomplete });
  }

  gap(planned: PlannedSegment): void {
    this.#steps.push({ kind: 'gap', planned });
  }

  /** Nothing follows the parts that were decided: the last one has all sound that is there. */
  closeSound(): void {
    const last = this.#steps.findLast((step) => step.kind === 'part');
    if (last) last.audioEndMs = Number.POSITIVE_INFINITY;
  }

  /** Makes what can be made; `newestMs` is how far the video has come. */
  advance(newestMs = this.#newestMs): void {
    this.#newestMs = newestMs;
    this.#run(false);
  }

  /** Makes everything that was decided, without waiting for sound. */
  flush(): void {
    this.#run(true);
  }

  /** Forgets what was decided and cannot be made yet. */
  abandon(): void {
    this.#steps.length = 0;
  }

  #run(force: boolean): void {
    for (let step = this.#steps[0]; step !== undefined; step = this.#steps[0]) {
      if (!this.#isReady(step, force)) return;
      this.#steps.shift();
      this.#make(step);
    }
  }

  #isReady(step: Step, force: boolean): boolean {
    if (step.kind === 'begin' || step.kind === 'gap') {
      return this.#options.placing.isDecided(step.kind === 'begin' ? step.segment.planned : step.planned);
    }
    if (step.kind === 'end' || step.kind === 'missing' || force || this.#made?.discarded) return true;
    const { bounds, maker } = this.#options;
    const { audio } = this;
    const { configs, newTimeline, goesOn } = this.#made ?? {};
    const isSoundAlone = step.frames === 0 && configs?.video === undefined && !goesOn;
    if (isSoundAlone || (audio.endMs ?? 0) >= step.endMs) return true;
    // Viewers wait for the first segment: what sound it lacks comes with the next, as it does between parts.
    const isLast = this.#steps[1]?.kind === 'end' && this.#hasSegment;
    if (!this.soundExpected) return true;
    const atStart = maker.untouched || newTimeline === true;
    const waitMs =
      configs && !isLast ? bounds.partAudioWaitMs : atStart && !configs ? bounds.firstAudioWaitMs : bounds.audioWaitMs;
    return this.#newestMs - step.endMs >= waitMs;
  }

  #make(step: Step): void {
    if (step.kind === 'part') this.#makePart(step);
    else if (step.kind === 'missing') this.#makeMissing(step);
    else if (step.kind === 'end') this.#complete(step);
    else if (step.kind === 'gap') this.#makeGap(step.planned);
    else this.#beginMade(step);
  }

  #makeGap(planned: PlannedSegment): void {
    if (planned.place === undefined || planned.endMs === undefined) return;
    const { place, startMs, endMs, programDateTimeMs } = planned;
    const durationMs = Math.min(endMs - startMs, longestSegmentMs(this.#options.targets()));
    this.#options.sink.appendGap({ place, startMs, programDateTimeMs, durationSeconds: durationMs / 1000 });
  }

  #makeMissing({ startMs, endMs, targetMs }: Step & { kind: 'missing' }): void {
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

  #beginMade({ segment, clockOffsetMs }: Step & { kind: 'begin' }): void {
    if (segment.soundFromMs !== undefined) this.audio.dropBefore(segment.soundFromMs);
    const discarded = this.#options.placing.isDropped(segment.planned);
    this.#made = { ...segment, clockOffsetMs, configs: undefined, shiftMs: 0, discarded, missing: false };
  }

  #makePart({ frames, startMs, endMs, targetMs, audioEndMs }: Step & { kind: 'part' }): void {
    const made = this.#made;
    if (made === undefined) return;
    const { sink } = this.#options;
    this.#assignedFrames -= frames;
    const picture = this.video.take(frames);
    const goesOnWith = made.goesOn ? this.#options.maker.configs.video : undefined;
    const configs = made.configs ?? this.#chooseTracks(picture?.config ?? goesOnWith, made.startMs);
    const sound = configs.audio ? this.audio.takeBefore(audioEndMs, configs.audio) : undefined;
    if (configs.audio === undefined) this.audio.dropBefore(audioEndMs);
    if (made.discarded || (picture === undefined && sound === undefined)) return;
    if (made.configs === undefined) this.#begin(made, configs);
    const part = this.#options.maker.addPart({
      video: picture,
      audio: sound,
      durationMs: Math.min(endMs - startMs, targetMs),
      shiftMs: made.shiftMs,
    });
    sink.addPart(part);
    this.#options.placing.addedPart(made.planned, { endMs, targetMs });
  }

  #begin(made: MadeSegment, configs: TrackConfigs): void {
    const { maker, sink, placing } = this.#options;
    const { planned, newTimeline, startMs, clockOffsetMs } = made;
    made.configs = configs;
    const start = maker.begin({
      configs,
      startMs,
      newTimeline,
      targets: this.#options.targets(),
      clockOffsetMs,
      place: (own) => placing.place(planned, own),
    });
    made.shiftMs = start.place.shiftMs;
    sink.begin(start);
  }

  /** A segment after one with sound has it too, however late that comes; else sound that comes too late begins with the next. */
  #chooseTracks(video: TrackConfigs['video'], startMs: number): TrackConfigs {
    const { bounds, maker } = this.#options;
    const { startMs: audioStartMs = 0 } = this.audio;
    const audio = this.audio.firstConfig ?? (maker.hadAudio ? this.audio.config : undefined);
    const late = video !== undefined && audioStartMs - startMs > bounds.audioLateMs && !maker.hadAudio;
    return { ...(video && { video }), ...(audio && !late && { audio }) };
  }

  #complete({ endMs, incomplete }: Step & { kind: 'end' }): void {
    const made = this.#made;
    this.#made = undefined;
    if (made === undefined || made.discarded) return;
    const { maker, placing, sink, onSegment } = this.#options;
    const durationMs = endMs - made.startMs;
    if (made.configs === undefined) {
      maker.skip(durationMs);
      if (placing.leftEmpty(made.planned)) this.#makeGap(made.planned);
      return;
    }
    this.#hasSegment = true;
    // Whatever composition times a publisher makes up, none is longer than players were told.
    const toldMs = Math.min(durationMs, longestSegmentMs(this.#options.targets()));
    const segment = { ...maker.complete(toldMs), ...(incomplete && { gap: true }) };
    maker.skip(durationMs - toldMs);
    sink.complete(segment);
    onSegment(segment);
    placing.completed(made.planned, segment.durationSeconds);
  }

  /** Nothing that was decided is left: forgets what waits, and the time line. */
  restart(): void {
    this.audio.restart();
    this.restartVideo();
  }

  restartVideo(): void {
    this.video.restart();
    this.#assignedFrames = 0;
  }
}
