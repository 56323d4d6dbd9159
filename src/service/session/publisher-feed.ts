import type { LatencyView, Meters, Severity, Unplayable } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import type { ArrivalPauses } from '../health/arrival-pauses.ts';
import { LatencyMeter } from '../health/latency-meter.ts';
import { MediaMeter } from '../health/media-meter.ts';
import type { TrackMemory } from '../hls/kept-tracks.ts';
import type { PackagedSegment, SegmentSink, SegmentTracks } from '../hls/packaged-segment.ts';
import type { PlaylistTargets } from '../hls/playlist-targets.ts';
import type { SegmentPlaces } from '../hls/segment-places.ts';
import type { SegmentPlan } from '../hls/segment-plan.ts';
import { SourcePackager } from '../hls/source-packager.ts';
import type { LeftOutMedia, Publisher } from '../ingest/publish-gate.ts';
import type { PublisherMetadata } from '../ingest/publisher-metadata.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { ownSoftware } from '../lib/own-software.ts';
import type { CaptureStamp } from '../media/capture-stamp.ts';
import type { MediaFormatError } from '../media/media-format-error.ts';
import { decodeMs, isKeyframe, type MediaUnit, type PlacedUnit, sizeOf, type TrackKind, trackOf } from '../media/media-unit.ts';
import { BeginAgainWatch } from './begin-again-watch.ts';
import { MediaRate, maxSecondBytes } from './media-rate.ts';
import { type Arrival, PublisherClock } from './publisher-clock.ts';
import { PublisherStatements } from './publisher-statements.ts';
import { freshMs, TrackArrivals } from './track-arrivals.ts';
import { UnplayedMedia } from './unplayed-media.ts';

/** Most publishers' keyframe intervals fit into this. */
const defaultSegmentSeconds = 2;
/** One GOP of our own encoder: video shows a second earlier. */
const ownSegmentSeconds = 1;

export interface PublisherFeedOptions {
  /** The earliest program date-time (epoch ms) of this feed's first segment, by the wall clock when asked. */
  notBeforeMs: () => number;
  /** The wanted length of parts. */
  partMs: number;
  /** Takes the segments, part by part. */
  sink: SegmentSink;
  /** Gives them their places. */
  places: SegmentPlaces;
  /** Finds the pauses in which nothing arrives. */
  pauses: Pick<ArrivalPauses, 'add'>;
  /** What their playlist promises, now. */
  promised: () => PlaylistTargets | undefined;
  /** The tracks of the publishers before it in the same session. */
  tracks: TrackMemory;
  /** The plan of segments for the renditions, and what takes the units that they are made from. */
  renditions: { plan: SegmentPlan; onPlaced: (unit: PlacedUnit) => void; end: () => void };
  /** Called with each whole segment, after the sink. */
  onSegment: (segment: PackagedSegment) => void;
  /** Called when its timestamps have jumped, or its format has changed, last of all that a unit does. */
  onBeginAgain: () => void;
  /** Called when it sends more than is taken, the same way. */
  onExcess: (cause: LossCause) => void;
  /** Called with what is wrong with the publisher's media. */
  onNote: (severity: Severity, event: LogEvent) => void;
}

/** What the meters call a track. */
const shownTrack = { video: 'picture', audio: 'sound' } as const;
/** How long an encoder that has just connected may take for its first keyframe before the wait is reported, in milliseconds. */
const keyframePatienceMs = 1_000;

/**
 * The media of one publisher, from its first unit to its last: packages it into segments and measures it. Single use, so that a
 * returning publisher starts with a fresh packager and no state of another.
 */
export class PublisherFeed {
  readonly publisher: Publisher;
  readonly #options: PublisherFeedOptions;
  readonly #meter = new MediaMeter();
  readonly #latency = new LatencyMeter();
  readonly #clock = new PublisherClock();
  readonly #unplayed = new UnplayedMedia();
  readonly #arrivals = new TrackArrivals();
  #packager: SourcePackager | undefined;
  #tracks: SegmentTracks | undefined;
  readonly #said: PublisherStatements;
  #hasVideo = false;
  #firstMediaAt: number | undefined;
  #lastMediaAt: number | undefined;
  /** The same moment as a time of day. */
  #arrivedAtMs = 0;
  #meters: Meters | undefined;
  #isMalformedNoted = false;
  readonly #rates: Readonly<Record<TrackKind, MediaRate>> = { video: new MediaRate(), audio: new MediaRate() };
  readonly #beginAgain = new BeginAgainWatch();
  #away: TrackKind | undefined;

  constructor(publisher: Publisher, options: PublisherFeedOptions) {
    this.publisher = publisher;
    this.#options = options;
    this.#said = new PublisherStatements(publisher.software);
  }

  /** When media last arrived, by `Clock.monotonicMs`, and the same moment as a time of day. */
  get arrival(): Arrival {
    return { atMs: this.#lastMediaAt ?? 0, arrivedAtMs: this.#arrivedAtMs };
  }

  /** When media last arrived, by `Clock.monotonicMs`. */
  get lastMediaAt(): number | undefined {
    return this.#lastMediaAt;
  }

  /** When media last arrived, by `Clock.monotonicMs`; before the first media, when the publisher connected. */
  get quietSince(): number {
    return this.#lastMediaAt ?? this.publisher.connectedAt;
  }

  /** Media has arrived for a while and there will be video, but the next keyframe is still to come, or overdue: a first segment ends with it. */
  get isAwaitingKeyframe(): boolean {
    if (this.#lastMediaAt === undefined || !(this.#said.announcesVideo || this.#hasVideo)) return false;
    if (this.#arrivals.hasKeyframe) return this.#meter.isKeyframeOverdue;
    return this.#firstMediaAt !== undefined && this.#lastMediaAt - this.#firstMediaAt >= keyframePatienceMs;
  }

  /** Since when what arrives can't be played, and why; undefined while it can, and before it has lasted a while. */
  get unplayable(): { sinceMs: number; why: Unplayable } | undefined {
    const { sinceMs } = this.#unplayed;
    if (sinceMs === undefined) return undefined;
    return { sinceMs, why: this.#arrivals.lacksKeyframe ? 'no-keyframe' : 'unusable' };
  }

  /** How fast the publisher is, as a multiple of real time. */
  get pace(): number {
    return this.#meter.pace;
  }

  /** How much its audio has drifted from its video, as of `DriftMeter.driftMs`. */
  get driftMs(): number | undefined {
    return this.#meter.driftMs;
  }

  /** What people call the publisher, as far as it has said. */
  get name(): string | undefined {
    return this.#said.name;
  }

  /** The frame rate that the publisher announces. */
  get nominalFps(): number | undefined {
    return this.#tracks?.video?.fps ?? this.#said.fps;
  }

  /**
   * Takes the next unit.
   *
   * @param now when it came, by `Clock.monotonicMs`, as the times that meters and latency are asked for
   * @param arrivedAtMs the same moment as a time of day, epoch milliseconds
   */
  push(unit: MediaUnit, now: number, arrivedAtMs: number): void {
    const track = trackOf(unit);
    this.#arrived(track, now, arrivedAtMs);
    if (unit.type === 'config') this.#meter.addBytes(sizeOf(unit), now);
    else {
      // Not since its configuration, which an encoder that warms up has sent long before.
      const { nominalFps } = this;
      this.#options.pauses.add(now, nominalFps);
      this.#arrivals.add(unit, now);
      this.#meter.add({ track, timeMs: decodeMs(unit), sizeBytes: sizeOf(unit), keyframe: isKeyframe(unit), nominalFps }, now);
    }
    this.#packager ??= this.#createPackager(arrivedAtMs);
    if (this.#said.announcesVideo) this.#packager.expectVideo();
    this.#packager.push(unit, now);
    this.#away = this.#packager.away;
    if (this.#rates[track].isTooHigh) this.#options.onExcess({ code: 'too-many-bytes', maxBytes: maxSecondBytes });
    else if (this.#beginAgain.take()) this.#options.onBeginAgain();
  }

  /** Takes note of what the publisher says about itself. */
  announce(metadata: PublisherMetadata): void {
    this.#said.add(metadata);
  }

  /** Takes note of media that cannot be used; times as of {@link push}. */
  leaveOut({ track, sizeBytes, error }: LeftOutMedia, now: number, arrivedAtMs: number): void {
    this.#arrived(track, now, arrivedAtMs);
    this.#options.pauses.add(now, this.nominalFps);
    this.#meter.addBytes(sizeBytes, now);
    if (error) this.#noteMalformed(error);
  }

  #arrived(track: TrackKind, now: number, arrivedAtMs: number): void {
    // Video of any kind counts here. Audio waits only for video that is announced and can be shown.
    this.#hasVideo ||= track === 'video';
    this.#unplayed.arrive(now);
    this.#firstMediaAt ??= now;
    this.#lastMediaAt = now;
    this.#arrivedAtMs = arrivedAtMs;
  }

  #createPackager(arrivedAtMs: number): SourcePackager {
    const { notBeforeMs, partMs, sink, places, promised, onSegment, tracks, renditions } = this.#options;
    return new SourcePackager({
      startedAtMs: Math.max(arrivedAtMs, notBeforeMs()),
      targetSegmentSeconds: this.publisher.software === ownSoftware ? ownSegmentSeconds : defaultSegmentSeconds,
      partMs,
      sink: this.#watchParts(sink),
      places,
      promised: promised(),
      tracks,
      plan: renditions.plan,
      onPlaced: (unit) => {
        const { timeline, dts } = unit;
        this.#beginAgain.add(unit);
        this.#rates[trackOf(unit)].add({ timeline, timeMs: dts, sizeBytes: sizeOf(unit) });
        renditions.onPlaced(unit);
      },
      onSegment: (segment) => {
        onSegment(segment);
        if (this.#packager) this.#clock.follow(this.#packager, segment, this.arrival);
      },
      onCaptureStamp: (stamp, shownMs) => this.#takeStamp(stamp, shownMs),
      onTracks: (tracks) => {
        this.#tracks = tracks;
      },
    });
  }

  #takeStamp(stamp: CaptureStamp, shownMs: number): void {
    const isCredible = this.#packager !== undefined && this.#clock.takeStamp(this.#packager, { stamp, shownMs }, this.arrival);
    if (isCredible) this.#latency.addFrame(stamp, this.#arrivedAtMs);
  }

  /** `sink`, which also notes each part, and measures how long it takes through the packager. */
  #watchParts(sink: SegmentSink): SegmentSink {
    return {
      begin: (start) => sink.begin(start),
      addPart: (part) => {
        sink.addPart(part);
        // Before its first keyframe or sound, a part holds only what stands in for them.
        if (this.#arrivals.hasPlayable) this.#unplayed.play();
        const { arrivedAtMs } = part;
        // The parts of the very first segment wait until it is whole: nobody can play before that.
        if (arrivedAtMs !== undefined && this.#options.promised())
          this.#latency.addPart(arrivedAtMs, this.#lastMediaAt ?? arrivedAtMs);
      },
      breakOff: (expectsPart) => sink.breakOff(expectsPart),
      complete: (segment) => sink.complete(segment),
      beginGap: (gap) => sink.beginGap(gap),
      appendGap: (gap) => sink.appendGap(gap),
    };
  }

  /** A broken publisher may send nothing else: reported once. */
  #noteMalformed(error: MediaFormatError): void {
    if (this.#isMalformedNoted) return;
    this.#isMalformedNoted = true;
    this.#options.onNote('warn', { code: 'media-malformed', fault: error.message });
  }

  /** Completes the last segment. The feed is over even if that fails. */
  finish(): void {
    const packager = this.#packager;
    this.#packager = undefined;
    runHarmlessly(() => packager?.end(), 'the last segment of a publisher');
    this.#options.renditions.end();
  }

  /** Drops what has arrived: it is too little for a first segment, and its publisher was lost. */
  abandon(): void {
    this.#packager = undefined;
    this.#options.renditions.end();
  }

  /** Closes the publisher's connection, and tells it why. */
  sendAway(cause: LossCause): void {
    runHarmlessly(() => this.publisher.close(cause), 'sending a publisher away');
  }

  /** Where the time goes until media can be played; undefined before any can. */
  latency(now: number): LatencyView | undefined {
    const { encodeMs, uploadMs, packagingMs } = this.#latency;
    if (packagingMs === undefined) return undefined;
    const fromCapture = this.#clock.isCapturing(now);
    return { fromCapture, ...(fromCapture && { encodeMs, uploadMs }), packagingMs };
  }

  /** The newest measurement: while nothing arrives, the last one, with its age. */
  meters(now: number): Meters | undefined {
    if (this.#lastMediaAt === undefined || now - this.#lastMediaAt > freshMs) return this.#meters;
    const { bitrateBps, fps } = this.#meter.rates(now);
    const { video, audio } = this.#tracks ?? {};
    const { tracks } = this.#options;
    const had = { video: tracks.newestFrame !== undefined, audio: tracks.audio !== undefined };
    const away = this.#away ?? this.#arrivals.findAway(now, had);
    this.#meters = {
      measuredAt: now,
      bitrateBps,
      fps,
      droppedFrames: this.#meter.droppedFrames(this.nominalFps),
      ...(this.#meter.isSlower(this.nominalFps) && { isSlower: true }),
      width: video?.width,
      height: video?.height,
      keyframeIntervalSeconds: this.#meter.keyframeIntervalSeconds,
      ...(this.#meter.isKeyframeOverdue && { isKeyframeOverdue: true }),
      videoCodec: video?.codec,
      audioCodec: audio?.codec,
      audioSampleRateHz: audio?.sampleRateHz,
      audioChannels: audio?.channels,
      away: away && shownTrack[away],
      ...(away === 'video' && this.#arrivals.lacksKeyframe && { isWithoutKeyframe: true }),
      ...((audio === undefined || away === 'audio') && this.#arrivals.isSoundApart(now) && { isSoundApart: true }),
      targetBitrateBps: this.#said.bitrateBps,
      protocol: this.publisher.protocol,
      encoder: this.#said.encoder,
      encoderName: this.#said.name,
    };
    return this.#meters;
  }
}
