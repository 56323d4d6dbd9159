import { ServiceError } from '../../shared/errors.ts';
import type { RenditionView } from '../../shared/model/live.ts';
import type { FeedReaderName } from '../../shared/model/log-line.ts';
import { type Profile, sourceRenditionName } from '../../shared/model/profile.ts';
import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import type { TrackMemory } from '../hls/kept-tracks.ts';
import type { MediaMemory } from '../hls/media-memory.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { PlayableRendition } from '../hls/playback-directory.ts';
import type { SegmentArchive } from '../hls/segment-archive.ts';
import type { FirstNumbers } from '../hls/segment-places.ts';
import { SegmentPlan } from '../hls/segment-plan.ts';
import { SegmentStore } from '../hls/segment-store.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import { LiveFeed } from './live-feed.ts';
import type { StartLadder } from './publisher-renditions.ts';
import { RenditionSet } from './rendition-set.ts';
import { SessionAudio } from './session-audio.ts';

/** Starts the audio meter of one publisher. */
export type StartAudioMeter = () => RunningAudioMeter;

export interface StreamMediaOptions extends FirstNumbers {
  /** How far viewers of the next session can rewind: read when it begins, so that all its renditions have the same segments. */
  liveWindowSeconds: () => number;
  startLadder: StartLadder;
  startAudioMeter: StartAudioMeter | undefined;
  /** Stores segments that don't fit into memory. */
  archive: SegmentArchive | undefined;
  memory: MediaMemory;
  /** Called when a reader of the live session that fell behind continues, with how many units it missed. */
  onFallBehind: (reader: FeedReaderName, missedUnits: number) => void;
  /** Called when viewers can't rewind as far as was set. */
  onShortened: (why: { diskFull: boolean }) => void;
  onLadderEvent: LadderOptions['onEvent'];
}

/** A session's media, from its first publisher to its last. */
export interface SessionMedia {
  /** The newest state of its tracks, across publishers. */
  readonly tracks: TrackMemory;
  /** The feed that its media can be read from, while it is live. */
  readonly live: LiveFeed;
  /** The meter of the publisher that sends. */
  readonly audioMeter: RunningAudioMeter | undefined;
  /** A publisher begins. Returns the plan of its segments, and where its placed units go. */
  startFeed(sourceFps: () => number | undefined): { plan: SegmentPlan; onPlaced: (unit: PlacedUnit) => void; end: () => void };
  /** Its first segment plays: its renditions replace those of the session before. */
  begin(): void;
  /** Ends it: the source's playlist at once, the renditions' when all they were fed is encoded, and the meter. Never rejects. */
  end(): Promise<void>;
}

/** The playable media of a stream: the segments of its source and its renditions. It outlives sessions. */
export class StreamMedia {
  readonly #options: StreamMediaOptions;
  #sourceStore: SegmentStore;
  /** The renditions of the newest session. */
  #renditions: RenditionSet | undefined;
  /** The renditions that play: those of the last session that has begun. They stay as long as its source. */
  #playing: RenditionSet | undefined;
  #windowSeconds: number;

  constructor(options: StreamMediaOptions) {
    const { firstMediaSequence, firstDiscontinuitySequence } = options;
    this.#options = options;
    this.#windowSeconds = options.liveWindowSeconds();
    this.#sourceStore = this.#createStore({ firstMediaSequence, firstDiscontinuitySequence });
  }

  get sourceStore(): SegmentStore {
    return this.#sourceStore;
  }

  /** The source first. */
  get playable(): PlayableRendition[] {
    return [{ name: sourceRenditionName, store: this.#sourceStore }, ...(this.#playing?.playable ?? [])];
  }

  renditionViews(pace = 1): RenditionView[] {
    return this.#renditions?.views(pace) ?? [];
  }

  /** @throws {ServiceError} INVALID_INPUT if one of them is not a profile of the session */
  setRenditions(names: readonly string[]): void {
    const known = new Set(this.renditionViews().map(({ asked }) => asked.name));
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) throw new ServiceError('INVALID_INPUT', `The broadcast has no rendition “${unknown}”.`);
    this.#renditions?.choose(names);
  }

  /** Prepares a session, which may never begin. `onTranscoded` is called with each segment of a rendition that plays. */
  startSession(profiles: readonly Profile[], onTranscoded: (segment: PackagedSegment) => void): SessionMedia {
    const { liveWindowSeconds, startLadder, startAudioMeter, onLadderEvent } = this.#options;
    this.#windowSeconds = liveWindowSeconds();
    let renditions =
      profiles.length === 0
        ? undefined
        : new RenditionSet({
            profiles,
            startLadder,
            onSegment: onTranscoded,
            onEvent: (event, stderr) => runHarmlessly(() => onLadderEvent(event, stderr), 'reporting a rendition'),
            createStore: () => this.#createStore(),
          });
    this.#dropUnbegun();
    this.#renditions = renditions;
    const live = new LiveFeed(this.#options.onFallBehind);
    const audio = new SessionAudio(live, startAudioMeter);
    const tracks: TrackMemory = {};
    return {
      tracks,
      live,
      get audioMeter() {
        return audio.meter;
      },
      startFeed(sourceFps) {
        const plan = new SegmentPlan(live.startPublisher());
        const feed = renditions?.start(plan, sourceFps);
        const reader = feed && live.read({ name: 'ladder', onUnits: (units) => units.takeAll((unit) => feed.push(unit)) });
        const stopMeter = audio.startPublisher();
        return {
          plan,
          onPlaced: (unit) => live.push(unit),
          end: () => {
            reader?.close();
            stopMeter();
            runHarmlessly(() => feed?.end(), 'ending the renditions of a publisher');
          },
        };
      },
      begin: () => {
        this.#playing?.close();
        this.#playing = renditions;
      },
      end: async () => {
        // Otherwise the picture would be kept until the next session.
        delete tracks.newestFrame;
        runHarmlessly(() => this.#sourceStore.end(), 'the end of a playlist');
        this.#dropUnbegun();
        await Promise.all([renditions?.end(), audio.ended]);
        // An ended session is kept until the next one, but its segments only for as long as they can be played.
        renditions = undefined;
      },
    };
  }

  /** Called once a second. */
  tick(): void {
    this.#renditions?.tick();
  }

  /** Drops the segments of a session that nobody watches any more; the source's numbers continue. */
  forget(): void {
    this.#dropRenditions();
    if (!this.#sourceStore.playable) return;
    const { nextMediaSequence, discontinuitySequence } = this.#sourceStore;
    this.#sourceStore.close();
    this.#sourceStore = this.#createStore({
      firstMediaSequence: nextMediaSequence,
      firstDiscontinuitySequence: discontinuitySequence,
    });
  }

  /** Nobody plays it any more: deletes the segments on disk. */
  close(): void {
    this.#dropRenditions();
    this.#sourceStore.close();
  }

  /** The renditions of a session that has not begun will not play. */
  #dropUnbegun(): void {
    if (this.#renditions === this.#playing) return;
    this.#renditions?.close();
    this.#renditions = this.#playing;
  }

  #dropRenditions(): void {
    this.#dropUnbegun();
    this.#playing?.close();
    this.#playing = undefined;
    this.#renditions = undefined;
  }

  #createStore(first: FirstNumbers = {}): SegmentStore {
    const { archive, memory, onShortened } = this.#options;
    const folder = archive?.createFolder();
    return new SegmentStore({ windowSeconds: () => this.#windowSeconds, folder, memory, onShortened, ...first });
  }
}
