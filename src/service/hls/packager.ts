import { type AacConfig, parseAacConfig } from '../media/aac.ts';
import { type CaptureStamp, findCaptureStamp } from '../media/capture-stamp.ts';
import { parseAudioTag } from '../media/flv-audio.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { parseVideoTag } from '../media/flv-video.ts';
import { type H264Config, isWholeNalUnits, parseH264Config } from '../media/h264.ts';
import { addOwnParameters } from '../media/h264-parameters.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import { isIdrPicture } from '../media/nal-unit.ts';
import type { TimedTag } from '../media/timed-tag.ts';
import type { EncoderStart } from './absence.ts';
import { Follower } from './follower.ts';
import { type AwayTrack, KeptTracks, type TrackMemory } from './kept-tracks.ts';
import { MediaClock, type TrackKind } from './media-clock.ts';
import type { MediaCutter } from './media-cutter.ts';
import type { PackagedSegment, SegmentPlace, SegmentSink, SegmentStart, SegmentTracks } from './packaged-segment.ts';
import { defaultPackagerBounds, type PackagerBounds } from './packager-bounds.ts';
import type { PlaylistTargets } from './playlist-targets.ts';
import { SegmentMaker } from './segment-maker.ts';
import { SegmentPlaces } from './segment-places.ts';
import { SegmentPlan } from './segment-plan.ts';
import { Segmenter } from './segmenter.ts';
import { TimedFeed } from './timed-feed.ts';
import type { VideoInput } from './video-track.ts';

export interface PackagerOptions {
  /** Wall clock of the first media, epoch milliseconds: the start of `EXT-X-PROGRAM-DATE-TIME`. */
  startedAtMs: number;
  /** Takes segments part by part as they are made. Without it they are only told of. */
  sink?: SegmentSink;
  /** Hears of each segment when it is whole, after the sink. */
  onSegment?: (segment: PackagedSegment) => void;
  /** Hears what plays, before the first segment and whenever that changes. */
  onTracks?: (tracks: SegmentTracks) => void;
  /** Hears of each tag that is left out because it is malformed or of a codec that is not carried. */
  onMalformed?: (error: MediaFormatError) => void;
  /** A segment is to be this long at least; 2 by default. The first is one GOP. */
  targetSegmentSeconds?: number;
  /** How long parts are wanted to be, 100 to 1000; 200 by default. {@link PlaylistTargets} says how long they are. */
  partMs?: number;
  /** Where segments begin and end: published by the packager of a source, followed by those of its renditions. */
  plan?: SegmentPlan;
  /** Makes the segments of `plan`, with the places they have there. Its tags are those the source handed to `onTimed`, encoded anew. */
  follow?: boolean;
  /**
   * Hears each well-formed tag once it has been placed on the timeline of the plan, sequence headers too, and what stands in for
   * a track that is away: what a ladder is fed with.
   */
  onTimed?: (tag: TimedTag) => void;
  /** The tracks of the publishers before in the same broadcast, which stay. */
  tracks?: TrackMemory;
  /**
   * Hears of each picture that says when it was captured, before it is packaged; `shownMs` is when it is shown, on the timeline.
   * It may be a lie: {@link Packager.setClockOffset} is for whoever believes it.
   */
  onCaptureStamp?: (stamp: CaptureStamp, shownMs: number) => void;
  bounds?: PackagerBounds;
}

/**
 * Makes fMP4 segments, sound and picture in one, from the FLV tags of one publisher or of one encoder of the ladder.
 *
 * It reads no clock: what it waits for is counted in media time. A segment begins at a keyframe, and audio is divided at the
 * time its picture begins, so that renditions with the same keyframes get the same segments. Which tracks a segment has is
 * decided as it is made: where that, or a codec's parameters, changes, there is a new init segment and a discontinuity. A track
 * that was there does not go, {@link KeptTracks}.
 * Malformed tags are left out and told of: `push` throws nothing. Single use: a new publisher gets a new one.
 */
export class Packager {
  readonly #bounds: PackagerBounds;
  readonly #onMalformed: ((error: MediaFormatError) => void) | undefined;
  readonly #feed: TimedFeed;
  readonly #onCaptureStamp: PackagerOptions['onCaptureStamp'];
  readonly #clock = new MediaClock();
  readonly #plan: SegmentPlan;
  readonly #follow: boolean;
  readonly #cutter: MediaCutter;
  /** A rendition has what its source has. */
  readonly #kept: KeptTracks | undefined;
  readonly #maker: SegmentMaker;
  #timeline = 0;
  /** The time of the newest frame: sequence headers are placed there. */
  #timeMs = 0;
  /** As it came: of a source, that of the configuration has more. */
  #videoRecord: Buffer | undefined;
  #videoConfig: H264Config | undefined;
  #audioConfig: AacConfig | undefined;
  /** The publisher has said so itself. */
  #soundAnnounced = false;
  #ended = false;

  constructor(options: PackagerOptions) {
    const { startedAtMs, targetSegmentSeconds = 2, partMs = 200, plan = new SegmentPlan(), follow = false } = options;
    this.#bounds = options.bounds ?? defaultPackagerBounds;
    this.#onMalformed = options.onMalformed;
    this.#feed = new TimedFeed(options.onTimed ?? (() => {}));
    this.#onCaptureStamp = options.onCaptureStamp;
    this.#plan = plan;
    this.#follow = follow;
    this.#maker = new SegmentMaker(startedAtMs, options.onTracks ?? (() => {}));
    const cutting = {
      targetMs: targetSegmentSeconds * 1000,
      partMs,
      bounds: this.#bounds,
      maker: this.#maker,
      sink: options.sink ?? new CountingSink(),
      onSegment: options.onSegment ?? (() => {}),
      plan,
    };
    if (follow) {
      this.#cutter = new Follower(cutting);
      return;
    }
    const segmenter = new Segmenter(cutting);
    this.#cutter = segmenter;
    const { tracks: memory = {} } = options;
    this.#audioConfig = memory.audio;
    if (memory.audio) segmenter.setAudioConfig(memory.audio);
    if (memory.picture) segmenter.expectVideo();
    this.#kept = new KeptTracks({
      ...{ bounds: this.#bounds, fit: segmenter, memory },
      onSound: (timeMs, data) => this.#pushSound(timeMs, data),
      onPicture: (frame) => this.#pushPicture(frame),
    });
  }

  /** The track that something stands in for now, since only the other comes. */
  get away(): AwayTrack | undefined {
    return this.#kept?.away;
  }

  /** The publisher is going to send video: sound that comes first waits for it longer. */
  expectVideo(): void {
    this.#cutter.expectVideo();
  }

  /**
   * Takes the next tag, which came at `arrivedAtMs` (epoch milliseconds); its body is kept, not copied, until its part is made.
   * Script tags are ignored.
   */
  push(tag: FlvTag, arrivedAtMs?: number): void {
    this.#take(tag.kind, tag.body, (track) => this.#place(track, tag.timestampMs), arrivedAtMs);
  }

  /** Takes the next tag of a rendition, on the timeline of the plan; as {@link push}. */
  pushTimed({ kind, timeline, timeMs, body }: TimedTag): void {
    this.#take(kind, body, () => {
      if (timeline < this.#timeline) return undefined;
      if (timeline > this.#timeline) {
        this.#timeline = timeline;
        this.#cutter.startTimeline(timeline, 0);
      }
      return timeMs;
    });
  }

  /**
   * The program date-times of segments that begin from now on are the timeline's own times and this, in milliseconds; with
   * undefined, and on each new timeline, they go on from the segment before.
   */
  setClockOffset(clockOffsetMs: number | undefined): void {
    this.#maker.setClockOffset(clockOffsetMs);
  }

  /** Moves the program date-times of the segments that follow: on where the wall clock ran faster than the media, back where it ran slower. */
  moveClock(milliseconds: number): void {
    this.#maker.skip(milliseconds);
  }

  /** Tells a rendition's packager that media is missing: what it was making is a gap, and it goes on with the next segment. */
  breakOff(): void {
    if (!this.#ended && this.#cutter instanceof Follower) this.#cutter.breakOff();
  }

  /** Tells a rendition's packager that no more media comes for now: it makes what is whole, then gaps, until media comes again. */
  leave(): void {
    if (!this.#ended && this.#cutter instanceof Follower) this.#cutter.leave();
  }

  /** As {@link leave}, where nothing more comes of encoders that have begun either. */
  leaveAtOnce(): void {
    if (!this.#ended && this.#cutter instanceof Follower) this.#cutter.leaveAtOnce();
  }

  /** Tells a rendition's packager at once that an encoder begins with this picture, whose media comes later. */
  awaitEncoder(start: EncoderStart): void {
    if (!this.#ended && this.#cutter instanceof Follower) this.#cutter.awaitEncoder(start);
  }

  /** Tells a rendition's packager, after its media, that the oldest encoder awaited has ended; `isWhole`: nothing of it is missing. */
  encoderEnded(isWhole: boolean): void {
    if (!this.#ended && this.#cutter instanceof Follower) this.#cutter.encoderEnded(isWhole);
  }

  /** Makes the last segment of what has come; whatever is pushed later is ignored. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#kept?.finish();
    this.#cutter.finish();
    if (!this.#follow) this.#plan.end();
  }

  #take(kind: FlvTag['kind'], body: Buffer, place: (track: TrackKind) => number | undefined, arrivedAtMs?: number): void {
    if (this.#ended || kind === 'script') return;
    try {
      if (kind === 'video') this.#takeVideo(body, () => place('video'), arrivedAtMs);
      else this.#takeAudio(body, () => place('audio'), arrivedAtMs);
    } catch (error) {
      if (!(error instanceof MediaFormatError)) throw error;
      this.#onMalformed?.(error);
    }
  }

  #takeVideo(body: Buffer, place: () => number | undefined, arrivedAtMs: number | undefined): void {
    const tag = parseVideoTag(body);
    if (tag.kind === 'unsupported') throw new MediaFormatError(`Video is coded with ${tag.codec}, not H.264.`);
    if (tag.kind === 'sequence-header') {
      this.#setVideoConfig(tag.record);
      return;
    }
    const config = this.#videoConfig;
    if (tag.kind !== 'frame' || config === undefined) return;
    const { keyframe, compositionTimeMs, data } = tag;
    if (!isWholeNalUnits(data, config.nalLengthBytes)) throw new MediaFormatError('A video frame has broken NAL unit lengths.');
    if (Math.abs(compositionTimeMs) > this.#bounds.maxCompositionTimeMs) {
      throw new MediaFormatError(`A video frame has the composition time ${compositionTimeMs} ms.`);
    }
    const timeMs = place();
    if (timeMs === undefined) return;
    const independent = keyframe && isIdrPicture(data, config.nalLengthBytes);
    const frame = { timeMs, compositionTimeMs, keyframe, independent, data, config, arrivedAtMs };
    const stamp = this.#onCaptureStamp && findCaptureStamp(data, config.nalLengthBytes);
    const standsMs = this.#kept ? this.#kept.takeVideo(frame, { isDated: stamp !== undefined }) : timeMs;
    if (standsMs === undefined) return;
    if (stamp) this.#onCaptureStamp?.(stamp, standsMs + compositionTimeMs);
    this.#pushPicture({ ...frame, timeMs: standsMs }, body);
  }

  #takeAudio(body: Buffer, place: () => number | undefined, arrivedAtMs: number | undefined): void {
    const tag = parseAudioTag(body);
    if (tag.kind === 'unsupported') throw new MediaFormatError(`Audio is coded with ${tag.codec}, not AAC.`);
    if (tag.kind === 'sequence-header') {
      this.#setAudioConfig(tag.config);
      return;
    }
    if (tag.kind !== 'frame' || !this.#soundAnnounced || tag.data.length === 0) return;
    if (tag.data.length > this.#bounds.maxAudioFrameBytes) {
      throw new MediaFormatError(`An AAC frame has ${tag.data.length} bytes.`);
    }
    const placedMs = place();
    const timeMs = this.#kept && placedMs !== undefined ? this.#kept.takeAudio(placedMs, arrivedAtMs) : placedMs;
    if (timeMs !== undefined) this.#pushSound(timeMs, tag.data, body);
  }

  /** Publishers repeat the sequence header: only another one is a change. */
  #setVideoConfig(record: Buffer): void {
    if (this.#videoRecord?.equals(record)) return;
    const config = parseH264Config(record);
    this.#videoRecord = Buffer.from(record);
    this.#videoConfig = this.#kept ? addOwnParameters(config) : config;
    this.#cutter.expectVideo();
    this.#kept?.setVideoConfig(this.#videoConfig);
    this.#feed.tellVideoConfig(this.#videoConfig, { timeline: this.#timeline, timeMs: this.#timeMs });
  }

  #setAudioConfig(config: Buffer): void {
    if (!this.#audioConfig?.config.equals(config)) {
      this.#audioConfig = parseAacConfig(config);
      this.#cutter.setAudioConfig(this.#audioConfig);
      this.#kept?.setAudioConfig(this.#audioConfig);
    }
    this.#soundAnnounced = true;
    this.#feed.tellAudioConfig(this.#audioConfig, { timeline: this.#timeline, timeMs: this.#timeMs });
  }

  /** `body` is that of the tag it came in, if it came in one. */
  #pushPicture(frame: VideoInput, body?: Buffer): void {
    this.#timeMs = frame.timeMs;
    this.#cutter.pushVideo(frame);
    this.#feed.tellPicture(frame, this.#timeline, body);
  }

  #pushSound(timeMs: number, data: Buffer, body?: Buffer): void {
    if (this.#audioConfig === undefined) return;
    this.#timeMs = timeMs;
    this.#cutter.pushAudio(timeMs, data);
    this.#feed.tellSound(this.#audioConfig, { timeline: this.#timeline, timeMs }, data, body);
  }

  #place(track: TrackKind, timestampMs: number): number | undefined {
    const placed = this.#clock.place(track, timestampMs);
    if (placed.kind === 'stale') return undefined;
    if (placed.kind === 'jumps') {
      const paused = placed.skippedMs > 0 && placed.skippedMs <= this.#bounds.maxPauseMs;
      this.#kept?.finish();
      this.#timeline += 1;
      this.#cutter.startTimeline(this.#timeline, paused ? placed.skippedMs : 0);
      this.#maker.setClockOffset(undefined);
    }
    return placed.timeMs;
  }
}

/** Gives places where nobody keeps the segments. */
class CountingSink implements SegmentSink {
  readonly #places = new SegmentPlaces();
  targets: PlaylistTargets | undefined;

  begin(start: SegmentStart): SegmentPlace {
    this.targets ??= start.targets;
    return this.#places.begin(start);
  }

  addPart(): void {}
  complete(): void {}
  beginGap(): void {}
  appendGap(): void {}
}
