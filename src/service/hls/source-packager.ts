import type { CaptureStamp } from '../media/capture-stamp.ts';
import {
  type AudioUnit,
  compositionMs,
  decodeMs,
  type MediaUnit,
  type PlacedUnit,
  soundMs,
  type TrackKind,
  type VideoUnit,
} from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import { type AwayTrack, KeptTracks, type TrackMemory } from './kept-tracks.ts';
import { MediaClock } from './media-clock.ts';
import type { PackagedSegment, SegmentSink, SegmentTracks } from './packaged-segment.ts';
import { defaultPackagerBounds, type PackagerBounds } from './packager-bounds.ts';
import { PlacedFeed } from './placed-feed.ts';
import { ProgramClock } from './program-clock.ts';
import { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlaces } from './segment-places.ts';
import { SegmentPlan } from './segment-plan.ts';
import { Segmenter } from './segmenter.ts';
import type { VideoInput } from './video-track.ts';

export interface SourcePackagerOptions {
  /** Wall clock of the first media, epoch milliseconds: the start of `EXT-X-PROGRAM-DATE-TIME`. */
  startedAtMs: number;
  /** Takes segments part by part as they are made. */
  sink: SegmentSink;
  /** Where the segments stand: one after another, those of the publishers before too. */
  places: SegmentPlaces;
  /** Hears of each segment when it is whole, after the sink. */
  onSegment?: (segment: PackagedSegment) => void;
  /** Hears what plays, before the first segment and whenever that changes. */
  onTracks?: (tracks: SegmentTracks) => void;
  /** A segment is to be this long at least; 2 by default. The first is one GOP. */
  targetSegmentSeconds?: number;
  /** How long parts are wanted to be, 100 to 1000; 200 by default. `PlaylistTargets` says how long they are. */
  partMs?: number;
  /** Where segments begin and end is published here, for its renditions. */
  plan?: SegmentPlan;
  /** Hears each unit once it has been placed, and what stands in for a track that is away: what a ladder is fed with. */
  onPlaced?: (unit: PlacedUnit) => void;
  /** The tracks of the publishers before in the same broadcast, which stay. */
  tracks?: TrackMemory;
  /**
   * Hears of each picture that says when it was captured, before it is packaged; `shownMs` is when it is shown, on the timeline.
   * It may be a lie: {@link SourcePackager.setClockOffset} is for whoever believes it.
   */
  onCaptureStamp?: (stamp: CaptureStamp, shownMs: number) => void;
  bounds?: PackagerBounds;
}

/**
 * Makes fMP4 segments, sound and picture in one, from the units of one publisher, and decides where they begin and end.
 *
 * It reads no clock: what it waits for is counted in media time. A segment begins at a keyframe, and audio is divided at the
 * time its picture begins, so that renditions with the same keyframes get the same segments. Which tracks a segment has is
 * decided as it is made: where that, or a codec's parameters, changes, there is a new init segment and a discontinuity. A track
 * that was there does not go, {@link KeptTracks}. Single use: a new publisher gets a new one.
 */
export class SourcePackager {
  readonly #bounds: PackagerBounds;
  readonly #feed: PlacedFeed;
  readonly #onCaptureStamp: SourcePackagerOptions['onCaptureStamp'];
  readonly #clock = new MediaClock();
  readonly #plan: SegmentPlan;
  readonly #segmenter: Segmenter;
  readonly #kept: KeptTracks;
  readonly #programClock: ProgramClock;
  /** The time of the newest frame: configurations are placed there. */
  #timeMs = 0;
  /** As it came: the one that is packaged may have more. */
  #announcedVideo: VideoConfig | undefined;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;
  /** The publisher has said so itself. */
  #soundAnnounced = false;
  #ended = false;

  constructor(options: SourcePackagerOptions) {
    const {
      startedAtMs,
      sink,
      places,
      targetSegmentSeconds = 2,
      partMs = 200,
      plan = new SegmentPlan(),
      tracks: memory = {},
    } = options;
    const bounds = options.bounds ?? defaultPackagerBounds;
    this.#bounds = bounds;
    this.#feed = new PlacedFeed(options.onPlaced ?? (() => {}));
    this.#onCaptureStamp = options.onCaptureStamp;
    this.#plan = plan;
    this.#programClock = new ProgramClock(startedAtMs);
    const { onSegment = () => {}, onTracks = () => {} } = options;
    this.#segmenter = new Segmenter({
      targetMs: targetSegmentSeconds * 1000,
      partMs,
      bounds,
      clock: this.#programClock,
      maker: new SegmentMaker(this.#programClock, onTracks),
      sink,
      onSegment,
      plan,
      places,
    });
    this.#audio = memory.audio;
    if (memory.audio) this.#segmenter.setAudioConfig(memory.audio);
    if (memory.picture) this.#segmenter.expectVideo();
    this.#kept = new KeptTracks({
      bounds,
      fit: this.#segmenter,
      memory,
      onSound: (timeMs, data) => this.#pushSound(timeMs, data),
      onPicture: (frame) => this.#pushPicture(frame),
    });
  }

  /** The track that something stands in for now, since only the other comes. */
  get away(): AwayTrack | undefined {
    return this.#kept.away;
  }

  /** The publisher is going to send video: sound that comes first waits for it longer. */
  expectVideo(): void {
    this.#segmenter.expectVideo();
  }

  /** Takes the next unit, which came at `arrivedAtMs` (milliseconds); its data is kept, not copied, until its part is made. */
  push(unit: MediaUnit, arrivedAtMs?: number): void {
    if (this.#ended) return;
    if (unit.type === 'video') this.#takeVideo(unit, arrivedAtMs);
    else if (unit.type === 'audio') this.#takeAudio(unit, arrivedAtMs);
    else if (unit.config.track === 'video') this.#announceVideo(unit.config);
    else this.#announceAudio(unit.config);
  }

  /**
   * The program date-times of segments that begin from now on are the timeline's own times and this, in milliseconds; with
   * undefined, and on each new timeline, they go on from the segment before.
   */
  setClockOffset(clockOffsetMs: number | undefined): void {
    this.#programClock.setOffset(clockOffsetMs);
  }

  /** Moves the program date-times of the segments that follow: on where the wall clock ran faster than the media, back where it ran slower. */
  moveClock(milliseconds: number): void {
    this.#programClock.move(milliseconds);
  }

  /** Makes the last segment of what has come; whatever is pushed later is ignored. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#kept.finish();
    this.#segmenter.finish();
    this.#plan.end();
  }

  #announceVideo(config: VideoConfig): void {
    if (isSameConfig(this.#announcedVideo, config)) return;
    this.#announcedVideo = config;
    this.#video = config.format.holding?.prepare(config) ?? config;
    this.#segmenter.expectVideo();
    this.#kept.setVideoConfig(this.#video);
    this.#feed.announceVideo(this.#video, { timeline: this.#segmenter.timeline, timeMs: this.#timeMs });
  }

  #announceAudio(config: AudioConfig): void {
    if (!isSameConfig(this.#audio, config)) {
      this.#audio = config;
      this.#segmenter.setAudioConfig(config);
      this.#kept.setAudioConfig(config);
    }
    this.#soundAnnounced = true;
    this.#feed.announceAudio(this.#audio ?? config, { timeline: this.#segmenter.timeline, timeMs: this.#timeMs });
  }

  #takeVideo(unit: VideoUnit, arrivedAtMs: number | undefined): void {
    const config = this.#video;
    if (config === undefined) return;
    const timeMs = this.#place('video', decodeMs(unit));
    if (timeMs === undefined) return;
    const { keyframe, independent, data, captured } = unit;
    const compositionTimeMs = compositionMs(unit);
    const frame = { timeMs, compositionTimeMs, keyframe, independent, data, config, arrivedAtMs };
    const isDated = captured !== undefined && this.#onCaptureStamp !== undefined;
    const standsMs = this.#kept.takeVideo(frame, { isDated });
    if (standsMs === undefined) return;
    if (captured) this.#onCaptureStamp?.(captured, standsMs + compositionTimeMs);
    this.#pushPicture({ ...frame, timeMs: standsMs });
  }

  #takeAudio(unit: AudioUnit, arrivedAtMs: number | undefined): void {
    if (!this.#soundAnnounced) return;
    const placedMs = this.#place('audio', decodeMs(unit));
    const timeMs = placedMs === undefined ? undefined : this.#kept.takeAudio(placedMs, soundMs(unit), arrivedAtMs);
    if (timeMs !== undefined) this.#pushSound(timeMs, unit.data);
  }

  #pushPicture(frame: VideoInput): void {
    this.#timeMs = frame.timeMs;
    this.#segmenter.pushVideo(frame);
    this.#feed.pushPicture(frame, this.#segmenter.timeline);
  }

  #pushSound(timeMs: number, data: Buffer): void {
    if (this.#audio === undefined) return;
    this.#timeMs = timeMs;
    this.#segmenter.pushAudio(timeMs, data);
    this.#feed.pushSound(this.#audio, { timeline: this.#segmenter.timeline, timeMs }, data);
  }

  #place(track: TrackKind, stampMs: number): number | undefined {
    const placed = this.#clock.place(track, stampMs);
    if (placed.kind === 'stale') return undefined;
    if (placed.kind === 'jumps') {
      const paused = placed.skippedMs > 0 && placed.skippedMs <= this.#bounds.maxPauseMs;
      this.#kept.finish();
      this.#segmenter.startTimeline(paused ? placed.skippedMs : 0);
      this.#programClock.setOffset(undefined);
    }
    return placed.timeMs;
  }
}
