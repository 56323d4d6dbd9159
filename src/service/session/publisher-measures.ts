import type { LatencyView, Meters, Unplayable } from '../../shared/model/live.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { ArrivalPauses } from '../health/arrival-pauses.ts';
import { LatencyMeter } from '../health/latency-meter.ts';
import { MediaMeter } from '../health/media-meter.ts';
import type { TrackMemory } from '../hls/kept-tracks.ts';
import type { PackagedPart, SegmentTracks } from '../hls/packaged-segment.ts';
import type { LeftOutMedia, Publisher } from '../ingest/publish-gate.ts';
import type { PublisherMetadata } from '../ingest/publisher-metadata.ts';
import type { CaptureStamp } from '../media/capture-stamp.ts';
import { decodeMs, isKeyframe, type MediaUnit, sizeOf, trackOf } from '../media/media-unit.ts';
import type { Arrival } from './arrival.ts';
import type { PublisherClock } from './publisher-clock.ts';
import { PublisherStatements } from './publisher-statements.ts';
import { freshMs, TrackArrivals } from './track-arrivals.ts';
import { UnplayedMedia } from './unplayed-media.ts';

export interface PublisherMeasuresOptions {
  /** Finds the pauses in which nothing arrives. */
  pauses: Pick<ArrivalPauses, 'add'>;
  /** Says whether segments are dated by when the publisher captures. */
  clock: Pick<PublisherClock, 'isCapturing'>;
  /** The tracks that its session has had. */
  tracks: TrackMemory;
}

/** The facts of a publisher's connection. */
type MeasuredPublisher = Pick<Publisher, 'protocol' | 'connectedAt' | 'software'>;

/** The tracks' names in the meters, which are those of the contract. */
const shownTrack = { video: 'picture', audio: 'sound' } as const;
/** How long an encoder that has just connected may take for its first keyframe before the wait is reported, in milliseconds. */
const keyframePatienceMs = 1_000;

/**
 * The measurements of one publisher: its statements, its media, and whether that can be played. Times are those of
 * `Clock.monotonicMs`.
 */
export class PublisherMeasures {
  readonly #publisher: MeasuredPublisher;
  readonly #options: PublisherMeasuresOptions;
  readonly #statements: PublisherStatements;
  readonly #meter = new MediaMeter();
  readonly #latency = new LatencyMeter();
  readonly #unplayed = new UnplayedMedia();
  readonly #arrivals = new TrackArrivals();
  /** The tracks of the newest segments. */
  #tracks: SegmentTracks | undefined;
  #standsInFor: TrackKind | undefined;
  #hasVideo = false;
  #firstMediaAt: number | undefined;
  #arrival: Arrival | undefined;
  #meters: Meters | undefined;

  constructor(publisher: MeasuredPublisher, options: PublisherMeasuresOptions) {
    this.#publisher = publisher;
    this.#options = options;
    this.#statements = new PublisherStatements(publisher.software);
  }

  /** When media last arrived; undefined if none has. */
  get arrival(): Arrival | undefined {
    return this.#arrival;
  }

  /** The same, by `Clock.monotonicMs` only. */
  get lastMediaAt(): number | undefined {
    return this.#arrival?.atMs;
  }

  /** When media last arrived; before the first media, when the publisher connected. */
  get quietSince(): number {
    return this.lastMediaAt ?? this.#publisher.connectedAt;
  }

  /** The publisher says that there will be video. */
  get announcesVideo(): boolean {
    return this.#statements.announcesVideo;
  }

  /** Media has arrived for a while and there will be video, but the next keyframe is still to come, or overdue: a first segment ends with it. */
  get isAwaitingKeyframe(): boolean {
    const { lastMediaAt } = this;
    if (lastMediaAt === undefined || !(this.announcesVideo || this.#hasVideo)) return false;
    if (this.#arrivals.hasKeyframe) return this.#meter.isKeyframeOverdue;
    return this.#firstMediaAt !== undefined && lastMediaAt - this.#firstMediaAt >= keyframePatienceMs;
  }

  /** Since when arriving media can't be played, and why; undefined while it can, and before this has lasted a while. */
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

  /** Its name for people, as far as it has said. */
  get name(): string | undefined {
    return this.#statements.name;
  }

  /** The frame rate that the publisher announces. */
  get nominalFps(): number | undefined {
    return this.#tracks?.video?.fps ?? this.#statements.fps;
  }

  /** Takes the publisher's statements about itself. */
  announce(metadata: PublisherMetadata): void {
    this.#statements.add(metadata);
  }

  /** A unit has arrived. */
  add(unit: MediaUnit, arrival: Arrival): void {
    const track = trackOf(unit);
    const { atMs } = arrival;
    this.#arrive(track, arrival);
    if (unit.type === 'config') {
      this.#meter.addBytes(sizeOf(unit), atMs);
      return;
    }
    // Not since its configuration, which an encoder that warms up has sent long before.
    const { nominalFps } = this;
    this.#options.pauses.add(atMs, nominalFps);
    this.#arrivals.add(unit, atMs);
    this.#meter.add({ track, timeMs: decodeMs(unit), sizeBytes: sizeOf(unit), keyframe: isKeyframe(unit), nominalFps }, atMs);
  }

  /** Media has arrived that cannot be used. */
  leaveOut({ track, sizeBytes }: LeftOutMedia, arrival: Arrival): void {
    this.#arrive(track, arrival);
    this.#options.pauses.add(arrival.atMs, this.nominalFps);
    this.#meter.addBytes(sizeBytes, arrival.atMs);
  }

  #arrive(track: TrackKind, arrival: Arrival): void {
    // Video of any kind counts here. Audio waits only for video that is announced and can be shown.
    this.#hasVideo ||= track === 'video';
    this.#unplayed.arrive(arrival.atMs);
    this.#firstMediaAt ??= arrival.atMs;
    this.#arrival = arrival;
  }

  /** The tracks of the next segments are known. */
  noteTracks(tracks: SegmentTracks): void {
    this.#tracks = tracks;
  }

  /** Silence or a held picture stands in for this track now, or for none. */
  noteStandIn(track: TrackKind | undefined): void {
    this.#standsInFor = track;
  }

  /** The frame that has just arrived says when it was captured, which is credible. */
  noteStamp(stamp: CaptureStamp): void {
    if (this.#arrival) this.#latency.addFrame(stamp, this.#arrival.wallMs);
  }

  /** A part is made; `isPlayable`: players can fetch it already. */
  notePart({ arrivedMs }: PackagedPart, isPlayable: boolean): void {
    // Before its first keyframe or sound, a part holds only stand-ins.
    if (this.#arrivals.hasPlayable) this.#unplayed.play();
    if (arrivedMs !== undefined && isPlayable) this.#latency.addPart(arrivedMs, this.lastMediaAt ?? arrivedMs);
  }

  /** Where the time goes until media can be played; undefined before any can. */
  latency(now: number): LatencyView | undefined {
    const { encodeMs, uploadMs, packagingMs } = this.#latency;
    if (packagingMs === undefined) return undefined;
    const fromCapture = this.#options.clock.isCapturing(now);
    return { fromCapture, ...(fromCapture && { encodeMs, uploadMs }), packagingMs };
  }

  /** The newest measurement: while nothing arrives, the last one, with its age. */
  meters(now: number): Meters | undefined {
    const { lastMediaAt } = this;
    if (lastMediaAt === undefined || now - lastMediaAt > freshMs) return this.#meters;
    const { bitrateBps, fps } = this.#meter.rates(now);
    const { video, audio } = this.#tracks ?? {};
    const { tracks } = this.#options;
    const had = { video: tracks.newestFrame !== undefined, audio: tracks.audio !== undefined };
    const away = this.#standsInFor ?? this.#arrivals.findAway(now, had);
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
      ...(video?.hasRareProfile && { hasRareProfile: true }),
      audioCodec: audio?.codec,
      audioSampleRateHz: audio?.sampleRateHz,
      audioChannels: audio?.channels,
      away: away && shownTrack[away],
      ...(away === 'video' && this.#arrivals.lacksKeyframe && { isWithoutKeyframe: true }),
      ...((audio === undefined || away === 'audio') && this.#arrivals.isSoundApart(now) && { isSoundApart: true }),
      targetBitrateBps: this.#statements.bitrateBps,
      protocol: this.#publisher.protocol,
      encoder: this.#statements.statedSoftware,
      encoderName: this.#statements.name,
    };
    return this.#meters;
  }
}
