import type { FeedReaderName } from '../../shared/model/log-line.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { audioMs, type ConfigUnit, isKeyframe, type PlacedUnit, sizeOf, trackOf } from '../media/media-unit.ts';

/**
 * After this much audio without video, a reader stops waiting for a keyframe: video may never return, and not every codec can be
 * held.
 */
const videoAwayAfterMs = 2_000;
/** About half a minute of a rich stream. */
const defaultMaxQueueBytes = 32 * 1024 * 1024;

export interface FeedReaderOptions {
  /** Its name in the log. */
  name: FeedReaderName;
  /**
   * Called for each unit that comes, in the publisher's turn, so it must not take long: there are units to take, now or later.
   */
  onUnits: (reader: FeedReader) => void;
  /** How many bytes may wait; 32 MiB by default. */
  maxQueueBytes?: number;
}

/** The calls of a reader to its feed. */
interface FeedSide {
  leave: () => void;
  isVideoAway: () => boolean;
  onDrop: (count: number) => void;
}

/** One reader of a {@link LiveFeed}, with a queue of its own. */
export class FeedReader {
  readonly #options: FeedReaderOptions;
  readonly #feed: FeedSide;
  #queue: PlacedUnit[] = [];
  #queuedBytes = 0;
  #awaitsKeyframe: boolean;
  /** It awaits a keyframe because it fell behind, not because it joined late: units until then count as missed. */
  #isBehind = false;
  /** Units missed that are not reported yet. */
  #missed = 0;
  #isClosed = false;

  constructor(options: FeedReaderOptions, { isLate, ...feed }: FeedSide & { isLate: boolean }) {
    this.#options = options;
    this.#awaitsKeyframe = isLate;
    this.#feed = feed;
  }

  /** Takes the oldest waiting unit; undefined if none waits. */
  take(): PlacedUnit | undefined {
    const unit = this.#queue.shift();
    if (unit) this.#queuedBytes -= sizeOf(unit);
    return unit;
  }

  /** Takes all that wait. */
  takeAll(take: (unit: PlacedUnit) => void): void {
    for (let unit = this.take(); unit !== undefined; unit = this.take()) take(unit);
  }

  /** Stops reading, and drops what waits. */
  close(): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#reportMissed();
    this.#feed.leave();
  }

  /** Called by the feed with the next unit. A reader that throws is closed: the fault is its own. */
  offer(unit: PlacedUnit): void {
    if (this.#isClosed) return;
    if (unit.type !== 'config' && this.#awaitsKeyframe) {
      if (isKeyframe(unit)) {
        this.#awaitsKeyframe = false;
        this.#isBehind = false;
      } else if (unit.type === 'video' || !this.#feed.isVideoAway()) {
        if (this.#isBehind) this.#missed += 1;
        return;
      }
    }
    if (unit.type !== 'config') this.#reportMissed();
    this.#queue.push(unit);
    this.#queuedBytes += sizeOf(unit);
    if (this.#queuedBytes > (this.#options.maxQueueBytes ?? defaultMaxQueueBytes)) this.#overflow();
    try {
      this.#options.onUnits(this);
    } catch (error) {
      reportFault(error, `reading a live broadcast (${this.#options.name})`);
      this.close();
    }
  }

  /** Drops everything but the newest configurations, and skips to the next keyframe. */
  #overflow(): void {
    const configs = newestConfigs(this.#queue);
    const hasVideo = this.#queue.some((unit) => trackOf(unit) === 'video');
    this.#missed += this.#queue.length - configs.length;
    this.#queue = configs;
    this.#queuedBytes = configs.reduce((bytes, unit) => bytes + sizeOf(unit), 0);
    this.#awaitsKeyframe ||= hasVideo;
    this.#isBehind = this.#awaitsKeyframe;
  }

  /** Called once the reader continues, or is closed. */
  #reportMissed(): void {
    const count = this.#missed;
    if (count === 0) return;
    this.#missed = 0;
    runHarmlessly(() => this.#feed.onDrop(count), 'reporting what a reader missed');
  }
}

function newestConfigs(units: readonly PlacedUnit[]): PlacedUnit[] {
  return (['video', 'audio'] as const).flatMap(
    (track) => units.findLast((unit) => unit.type === 'config' && unit.config.track === track) ?? [],
  );
}

/**
 * The one point where a live session can be read: the placed media that its viewers get, including stand-ins for a track that is
 * away. Readers are independent, and none can slow the publisher or another reader: each has a bounded queue, and units that it
 * does not take in time are dropped up to the next keyframe.
 *
 * A reader may join at any time: it gets the configurations, and begins at a keyframe. Nothing tells it that the session has ended.
 */
export class LiveFeed {
  /** A new array whenever a reader joins or leaves, so that readers may do so while a unit is handed out. */
  #readers: readonly FeedReader[] = [];
  readonly #configs: Partial<Record<TrackKind, ConfigUnit & PlacedUnit>> = {};
  #timeline = -1;
  #hasVideo = false;
  /** How much audio has arrived since the last video, in milliseconds. */
  #withoutVideoMs = 0;
  readonly #onDrop: (reader: FeedReaderName, count: number) => void;

  /** `onDrop` is called when a reader that did not take units in time continues, with how many it missed. */
  constructor(onDrop: (reader: FeedReaderName, count: number) => void) {
    this.#onDrop = onDrop;
  }

  /** Another publisher begins, and announces its tracks itself. Returns the number of its first timeline. */
  startPublisher(): number {
    delete this.#configs.video;
    delete this.#configs.audio;
    this.#hasVideo = false;
    this.#withoutVideoMs = 0;
    return this.#timeline + 1;
  }

  /** Adds a reader. */
  read(options: FeedReaderOptions): FeedReader {
    const reader: FeedReader = new FeedReader(options, {
      isLate: this.#hasVideo,
      isVideoAway: () => this.#withoutVideoMs > videoAwayAfterMs,
      onDrop: (count) => this.#onDrop(options.name, count),
      leave: () => {
        this.#readers = this.#readers.filter((other) => other !== reader);
      },
    });
    this.#readers = [...this.#readers, reader];
    for (const track of ['video', 'audio'] as const) {
      const config = this.#configs[track];
      if (config) reader.offer(config);
    }
    return reader;
  }

  /** Hands the next unit to each reader. */
  push(unit: PlacedUnit): void {
    this.#timeline = Math.max(this.#timeline, unit.timeline);
    if (unit.type === 'config') this.#configs[unit.config.track] = unit;
    if (unit.type === 'video') {
      this.#hasVideo = true;
      this.#withoutVideoMs = 0;
    } else if (unit.type === 'audio') this.#withoutVideoMs += audioMs(unit);
    for (const reader of this.#readers) reader.offer(unit);
  }
}
