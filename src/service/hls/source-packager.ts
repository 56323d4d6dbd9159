import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { CaptureStamp } from '../media/capture-stamp.ts';
import {
  type AudioUnit,
  audioMs,
  compositionMs,
  decodeMs,
  type MediaUnit,
  type PlacedUnit,
  type VideoUnit,
} from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import { KeptTracks, type TrackMemory } from './kept-tracks.ts';
import { MediaClock } from './media-clock.ts';
import type { PackagedSegment, SegmentSink, SegmentTracks } from './packaged-segment.ts';
import { defaultPackagerBounds, type PackagerBounds } from './packager-bounds.ts';
import { PlacedFeed } from './placed-feed.ts';
import type { PlaylistTargets } from './playlist-targets.ts';
import { ProgramClock } from './program-clock.ts';
import { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlaces } from './segment-places.ts';
import type { SegmentPlan } from './segment-plan.ts';
import { Segmenter } from './segmenter.ts';
import type { VideoInput } from './video-track.ts';

export interface SourcePackagerOptions {
  /** Wall clock of the first media, epoch milliseconds: the start of `EXT-X-PROGRAM-DATE-TIME`. */
  startedAtMs: number;
  /** Takes segments part by part as they are made. */
  sink: SegmentSink;
  /** Gives the segments their places: one after another, after those of the publishers before. */
  places: SegmentPlaces;
  /** What the playlist promises since the publishers before; undefined as long as it has no segment to play. */
  promised: PlaylistTargets | undefined;
  /** Called with each whole segment, after the sink. */
  onSegment: (segment: PackagedSegment) => void;
  /** Called with what plays, before the first segment and whenever that changes. */
  onTracks: (tracks: SegmentTracks) => void;
  /** The least length of a segment. The first is one GOP. */
  targetSegmentSeconds: number;
  /** The wanted length of parts, 100 to 1000. `PlaylistTargets` has the actual one. */
  partMs: number;
  /** Publishes where segments begin and end, for the renditions. */
  plan: SegmentPlan;
  /** Called with each placed unit, and with what stands in for a track that is away: this feeds a ladder. */
  onPlaced: (unit: PlacedUnit) => void;
  /** The tracks of the publishers before in the same session, which stay. */
  tracks: TrackMemory;
  /**
   * Called for each frame that says when it was captured, before it is packaged; `shownMs` is when it is shown, on the timeline. The
   * stamp may be wrong: who trusts it calls {@link SourcePackager.setClockOffset}.
   */
  onCaptureStamp: (stamp: CaptureStamp, shownMs: number) => void;
  bounds?: PackagerBounds;
}

/**
 * Makes fMP4 segments, with audio and video in one, from the units of one publisher, and decides where they begin and end.
 *
 * It reads no clock: it waits in media time. A segment begins at a keyframe, and audio is divided at the time its video begins, so
 * that renditions with the same keyframes get the same segments. Which tracks a segment has is decided as it is made: if that
 * changes, or a codec's parameters, there is a new init segment and a discontinuity. A track does not go away once it has arrived
 * ({@link KeptTracks}). Single use: a new publisher gets a new one.
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
  /** The time of the newest frame: configurations get it too. */
  #timeMs = 0;
  /** As it came: the packaged one may have more. */
  #announcedVideo: VideoConfig | undefined;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;
  /** By the publisher itself. */
  #audioAnnounced = false;
  #ended = false;

  constructor(options: SourcePackagerOptions) {
    const { sink, places, promised, onSegment, partMs, plan, tracks: memory, bounds = defaultPackagerBounds } = options;
    this.#bounds = bounds;
    this.#feed = new PlacedFeed(options.onPlaced);
    this.#onCaptureStamp = options.onCaptureStamp;
    this.#plan = plan;
    this.#programClock = new ProgramClock(options.startedAtMs);
    this.#segmenter = new Segmenter({
      targetMs: options.targetSegmentSeconds * 1000,
      partMs,
      bounds,
      clock: this.#programClock,
      maker: new SegmentMaker(this.#programClock, options.onTracks),
      sink,
      onSegment,
      plan,
      places,
      promised,
    });
    this.#audio = memory.audio;
    if (memory.audio) this.#segmenter.setAudioConfig(memory.audio);
    if (memory.newestFrame) this.#segmenter.expectVideo();
    this.#kept = new KeptTracks({
      bounds,
      fit: this.#segmenter,
      memory,
      onAudio: (timeMs, data) => this.#pushAudio(timeMs, data, { standsIn: true }),
      onVideo: (frame) => this.#pushVideo(frame),
    });
  }

  /** The track that is away, and that silence or a held picture replaces now. */
  get away(): TrackKind | undefined {
    return this.#kept.away;
  }

  /** The publisher is going to send video: audio that comes first waits longer for it. */
  expectVideo(): void {
    this.#segmenter.expectVideo();
  }

  /** Takes the next unit, which came at `arrivedMs` by `Clock.monotonicMs`; its data is kept, not copied, until its part is made. */
  push(unit: MediaUnit, arrivedMs: number): void {
    if (this.#ended) return;
    if (unit.type === 'video') this.#takeVideo(unit, arrivedMs);
    else if (unit.type === 'audio') this.#takeAudio(unit, arrivedMs);
    else if (unit.config.track === 'video') this.#announceVideo(unit.config);
    else this.#announceAudio(unit.config);
  }

  /**
   * From now on the program date-time of a segment is its time on the timeline plus this, in milliseconds. With undefined, and on
   * each new timeline, it continues from the segment before.
   */
  setClockOffset(clockOffsetMs: number | undefined): void {
    this.#programClock.setOffset(clockOffsetMs);
  }

  /** Moves the program date-times of the next segments: forward if the wall clock ran faster than the media, back if it ran slower. */
  moveClock(milliseconds: number): void {
    this.#programClock.move(milliseconds);
  }

  /** Makes the last segment of what has arrived; ignores whatever is pushed later. */
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
    this.#audioAnnounced = true;
    this.#feed.announceAudio(this.#audio ?? config, { timeline: this.#segmenter.timeline, timeMs: this.#timeMs });
  }

  #takeVideo(unit: VideoUnit, arrivedMs: number): void {
    const config = this.#video;
    if (config === undefined) return;
    const timeMs = this.#place('video', decodeMs(unit));
    if (timeMs === undefined) return;
    const { keyframe, independent, data, captured } = unit;
    const compositionTimeMs = compositionMs(unit);
    const frame = { timeMs, compositionTimeMs, keyframe, independent, data, config, arrivedMs };
    const placedMs = this.#kept.takeVideo(frame, { isDated: captured !== undefined });
    if (placedMs === undefined) return;
    if (captured) this.#onCaptureStamp(captured, placedMs + compositionTimeMs);
    this.#pushVideo({ ...frame, timeMs: placedMs });
  }

  #takeAudio(unit: AudioUnit, arrivedMs: number): void {
    if (!this.#audioAnnounced) return;
    const placedMs = this.#place('audio', decodeMs(unit));
    const timeMs = placedMs === undefined ? undefined : this.#kept.takeAudio(placedMs, audioMs(unit), arrivedMs);
    if (timeMs !== undefined) this.#pushAudio(timeMs, unit.data);
  }

  #pushVideo(frame: VideoInput): void {
    this.#timeMs = frame.timeMs;
    this.#segmenter.pushVideo(frame);
    this.#feed.pushVideo(frame, this.#segmenter.timeline);
  }

  #pushAudio(timeMs: number, data: Buffer, mark: { standsIn?: true } = {}): void {
    if (this.#audio === undefined) return;
    this.#timeMs = timeMs;
    this.#segmenter.pushAudio(timeMs, data, mark);
    this.#feed.pushAudio({ config: this.#audio, data, ...mark }, { timeline: this.#segmenter.timeline, timeMs });
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
