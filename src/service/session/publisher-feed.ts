import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { ArrivalPauses } from '../health/arrival-pauses.ts';
import type { TrackMemory } from '../hls/kept-tracks.ts';
import type { PackagedSegment, SegmentSink } from '../hls/packaged-segment.ts';
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
import { type MediaUnit, type PlacedUnit, sizeOf, trackOf } from '../media/media-unit.ts';
import type { Arrival } from './arrival.ts';
import { BeginAgainWatch } from './begin-again-watch.ts';
import { MediaRate, maxSecondBytes } from './media-rate.ts';
import { PublisherClock } from './publisher-clock.ts';
import { PublisherMeasures } from './publisher-measures.ts';

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

/**
 * The media of one publisher, from its first unit to its last: packages it into segments, and has it measured. Single use, so that a
 * returning publisher starts with a fresh packager and no state of another.
 */
export class PublisherFeed {
  readonly publisher: Publisher;
  readonly measures: PublisherMeasures;
  readonly #options: PublisherFeedOptions;
  readonly #clock = new PublisherClock();
  #packager: SourcePackager | undefined;
  #isMalformedNoted = false;
  readonly #rates: Readonly<Record<TrackKind, MediaRate>> = { video: new MediaRate(), audio: new MediaRate() };
  readonly #beginAgain = new BeginAgainWatch();

  constructor(publisher: Publisher, options: PublisherFeedOptions) {
    const { pauses, tracks } = options;
    this.publisher = publisher;
    this.measures = new PublisherMeasures(publisher, { pauses, clock: this.#clock, tracks });
    this.#options = options;
  }

  /** Takes the next unit. */
  push(unit: MediaUnit, arrival: Arrival): void {
    this.measures.add(unit, arrival);
    this.#packager ??= this.#createPackager(arrival.wallMs);
    if (this.measures.announcesVideo) this.#packager.expectVideo();
    this.#packager.push(unit, arrival.atMs);
    this.measures.noteStandIn(this.#packager.away);
    if (this.#rates[trackOf(unit)].isTooHigh) this.#options.onExcess({ code: 'too-many-bytes', maxBytes: maxSecondBytes });
    else if (this.#beginAgain.take()) this.#options.onBeginAgain();
  }

  /** Takes the publisher's statements about itself. */
  announce(metadata: PublisherMetadata): void {
    this.measures.announce(metadata);
  }

  /** Takes note of media that cannot be used. */
  leaveOut(media: LeftOutMedia, arrival: Arrival): void {
    this.measures.leaveOut(media, arrival);
    if (media.error) this.#noteMalformed(media.error);
  }

  #createPackager(wallMs: number): SourcePackager {
    const { notBeforeMs, partMs, sink, places, promised, onSegment, tracks, renditions } = this.#options;
    return new SourcePackager({
      startedAtMs: Math.max(wallMs, notBeforeMs()),
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
        const { arrival } = this.measures;
        if (this.#packager && arrival) this.#clock.follow(this.#packager, segment, arrival);
      },
      onCaptureStamp: (stamp, shownMs) => this.#takeStamp(stamp, shownMs),
      onTracks: (tracks) => this.measures.noteTracks(tracks),
    });
  }

  #takeStamp(stamp: CaptureStamp, shownMs: number): void {
    const { arrival } = this.measures;
    if (this.#packager === undefined || arrival === undefined) return;
    if (this.#clock.takeStamp(this.#packager, { stamp, shownMs }, arrival)) this.measures.noteStamp(stamp);
  }

  /** `sink`, with each part noted and measured. */
  #watchParts(sink: SegmentSink): SegmentSink {
    return {
      begin: (start) => sink.begin(start),
      addPart: (part) => {
        sink.addPart(part);
        // The parts of the very first segment wait until it is whole: nobody can play before that.
        this.measures.notePart(part, this.#options.promised() !== undefined);
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
}
