import type { AirState, EndedBroadcast, OneClickState, Severity } from '../../shared/model/live.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { findStoreFault } from '../store/store-fault.ts';
import type { EndCause } from '../streams/end-cause.ts';
import { CourseElsewhere, type CourseEvent } from './course-elsewhere.ts';
import { findLoss, type PlayedElsewhere } from './lost-elsewhere.ts';
import type { RegionPair } from './region-pairs.ts';
import { type FollowPlaybackOptions, followPlayback, stoppedAfterMs } from './region-playback.ts';

/** A region that takes our media should have a playlist within this time, since that exists after the first GOP. */
const playableWithinMs = 15_000;

export interface BroadcastElsewhereOptions {
  clock: Clock;
  /** Called again until it succeeds: the store may be unreadable. */
  findPlaybackId: () => string;
  /** How often the region's playback is requested. */
  playbackPausesMs?: FollowPlaybackOptions['pausesMs'];
  /** As in `FollowPlaybackOptions`. */
  staysAtOrigin?: boolean;
  /** The broadcast's state elsewhere, as known here, has changed. */
  onChange: () => void;
  /** Logs the broadcast's course; undefined if another part does. */
  onEvent?: (severity: Severity, event: CourseEvent) => void;
}

/** A region whose playback can be watched; `isOwn` if its sessions can be read, too. */
interface WatchableRegion extends Pick<RegionPair, 'code' | 'isOwn'> {
  /** The playback URL as this computer reaches it. */
  reach: Pick<RegionPair['reach'], 'playback'>;
}

/** A session elsewhere. Its id isn't known here, so it gets one of ours. `sinceMs` is by `Clock.monotonicMs`. */
interface NamedSession {
  sessionId: string;
  sinceMs: number;
}

/** The region in use, as far as it is known here. Times are those of `Clock.monotonicMs`. */
interface Watched {
  region: WatchableRegion;
  abort: AbortController;
  sinceMs: number;
  /** Our session there that viewers can play, from when they can. */
  playable: NamedSession | undefined;
  /** When something new to play last appeared. */
  movedAtMs: number | undefined;
  /** Since when viewers get nothing new, or it is unknown here what they get. */
  lapse: { kind: 'stopped' | 'unseen'; sinceMs: number } | undefined;
  /** When our newest connection to it began. */
  sentAgainAtMs: number | undefined;
}

/** The air state of a broadcast that viewers had. */
type Reconnecting = Extract<AirState, { kind: 'reconnecting' }>;

/** Whether this one click sends, or will: otherwise its broadcast isn't on air in any region. */
function mayGoOn(oneClick: OneClickState): oneClick is Extract<OneClickState, { kind: 'starting' | 'running' | 'retrying' }> {
  const { kind } = oneClick;
  return kind === 'starting' || kind === 'running' || kind === 'retrying';
}

/** One broadcast of one click, as seen in regions that are other computers. */
export class BroadcastElsewhere {
  readonly #options: BroadcastElsewhereOptions;
  readonly #course: CourseElsewhere;
  #oneClick: OneClickState = { kind: 'idle' };
  #watched: Watched | undefined;
  /** The session that viewers had, in any region. */
  #played: NamedSession | undefined;
  /** Since when no region takes our media, or viewers have nothing new yet although one does, by `Clock.monotonicMs`. */
  #lostAtMs: number | undefined;
  #isClosed = false;
  /** The stream's playback id, once known; it never changes. */
  #playbackId: string | undefined;

  constructor(options: BroadcastElsewhereOptions) {
    this.#options = options;
    this.#course = new CourseElsewhere(options.onEvent ?? (() => {}));
    this.#course.follow({ kind: 'starting' }, false, options.clock.monotonicMs());
  }

  /**
   * The broadcast goes to this region now, or the region's URLs have changed: watches its playback, if it is another computer.
   */
  goTo(region: WatchableRegion): void {
    if (this.#isClosed) return;
    const last = this.#watched;
    if (last?.region.code === region.code && last.region.isOwn === region.isOwn) {
      last.region = region;
      return;
    }
    last?.abort.abort();
    const watched: Watched = {
      region,
      abort: new AbortController(),
      sinceMs: this.#options.clock.monotonicMs(),
      playable: undefined,
      movedAtMs: undefined,
      lapse: undefined,
      sentAgainAtMs: undefined,
    };
    this.#watched = watched;
    if (!region.isOwn) runHarmlessly(() => this.#watch(watched), 'watching the playback of a region');
  }

  /** The region in use takes our media. */
  noteConnection(publisher: Pick<MediaPublisher, 'closed'>): void {
    const watched = this.#watched;
    if (watched === undefined) return;
    watched.sentAgainAtMs = this.#options.clock.monotonicMs();
    const noteEnd = async () => {
      const { kind } = await publisher.closed;
      if (kind !== 'closed-by-us') this.#lostAtMs ??= this.#options.clock.monotonicMs();
    };
    runHarmlessly(noteEnd, 'noting the end of a connection to a region');
  }

  /** Call at every change of its one click. */
  follow(oneClick: OneClickState): void {
    this.#oneClick = oneClick;
    this.#followCourse();
  }

  /** The broadcast is ended on purpose. */
  end(cause: EndCause): void {
    this.#course.end(cause, this.#options.clock.monotonicMs());
  }

  /** The broadcast that viewers lost when one click failed; undefined if they had none. */
  findLoss(oneClick: OneClickState): EndedBroadcast | undefined {
    return findLoss(this.#describePlayed(), oneClick);
  }

  /** The broadcast is on air on this computer, whose sessions log its course. */
  noteOnAirHere(): void {
    if (!this.#watched?.region.isOwn) return;
    this.#played = undefined;
    this.#lostAtMs = undefined;
    this.#course.forget();
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    this.#watched?.abort.abort();
  }

  /**
   * The air state as far as it can be told from here: on air if the playlist keeps changing and the ingest takes our media.
   * Undefined if the broadcast goes to this computer, whose sessions know better.
   */
  air(oneClick: OneClickState): AirState | undefined {
    const { clock } = this.#options;
    const watched = this.#watched;
    if (watched === undefined || watched.region.isOwn) return undefined;
    if (!mayGoOn(oneClick)) return undefined;
    const { playable, lapse } = watched;
    if (oneClick.kind === 'retrying') {
      const session = this.#played && (playable ?? this.#played);
      return session === undefined ? { kind: 'off-air' } : this.#describeAway(session);
    }
    if (playable === undefined || oneClick.kind === 'starting') {
      const isOverdue = oneClick.kind === 'running' && this.#isOverdue(watched);
      // It has moved: viewers had it in another region.
      if (this.#played !== undefined && !isOverdue) return { ...this.#describeAway(this.#played), back: 'sending' };
      return { kind: 'connecting', since: oneClick.since, ...(isOverdue && { awaiting: 'playlist' as const }) };
    }
    const since = lapse && timeOfDay(clock, lapse.sinceMs);
    return {
      kind: 'on-air',
      ...this.#describe(playable),
      ...(lapse?.kind === 'stopped' && this.#hasHadTime(watched) && { silentSince: since }),
      ...(lapse?.kind === 'unseen' && { unseenSince: since }),
    };
  }

  /**
   * The air state while the broadcast moves to this computer: viewers had it in another region, and it hasn't been on air here
   * yet.
   */
  moving(oneClick: OneClickState): Reconnecting | undefined {
    if (!this.#watched?.region.isOwn || this.#played === undefined || !mayGoOn(oneClick)) return undefined;
    return this.#describeAway(this.#played);
  }

  #describeAway(session: NamedSession): Reconnecting {
    const { clock } = this.#options;
    const lostAt = timeOfDay(clock, this.#lostAtMs ?? clock.monotonicMs());
    return { kind: 'reconnecting', ...this.#describe(session), lostAt };
  }

  /** Whether a region that takes our media should have a playlist by now. */
  #isOverdue({ sinceMs, sentAgainAtMs = sinceMs }: Watched): boolean {
    return this.#options.clock.monotonicMs() - sentAgainAtMs >= playableWithinMs;
  }

  /** After a new connection, a region needs time for its first segment. */
  #hasHadTime({ sinceMs, sentAgainAtMs = sinceMs }: Watched): boolean {
    return this.#options.clock.monotonicMs() - sentAgainAtMs >= stoppedAfterMs;
  }

  /** The session with an epoch time, as screens get it. */
  #describe({ sessionId, sinceMs }: NamedSession): { sessionId: string; since: number } {
    return { sessionId, since: timeOfDay(this.#options.clock, sinceMs) };
  }

  #describePlayed(): PlayedElsewhere | undefined {
    const lostAtMs = this.#lostAtMs;
    return (
      this.#played && {
        ...this.#describe(this.#played),
        stoppedAt: lostAtMs === undefined ? undefined : timeOfDay(this.#options.clock, lostAtMs),
      }
    );
  }

  /** The URL of the multivariant playlist there; undefined while the store can't be read. */
  #findPlaylist({ reach }: WatchableRegion): string | undefined {
    try {
      this.#playbackId ??= this.#options.findPlaybackId();
      return `${reach.playback}/${this.#playbackId}/index.m3u8`;
    } catch (error) {
      if (findStoreFault(error) === undefined) throw error;
      return undefined;
    }
  }

  #watch(watched: Watched): Promise<void> {
    const { clock, onChange, playbackPausesMs, staysAtOrigin } = this.#options;
    const { region, abort } = watched;
    return followPlayback(() => this.#findPlaylist(watched.region), {
      clock,
      signal: abort.signal,
      pausesMs: playbackPausesMs,
      staysAtOrigin,
      isAwaited: () => !this.isPlaying,
      onMove: () => {
        watched.movedAtMs = clock.monotonicMs();
        watched.lapse = undefined;
        // Before the region takes our media, it may play another encoder's.
        if (watched.sentAgainAtMs !== undefined) {
          watched.playable ??= { sessionId: `${region.code}-${clock.now()}`, sinceMs: watched.movedAtMs };
          this.#played ??= watched.playable;
        }
        if (this.isPlaying) this.#lostAtMs = undefined;
        this.#followCourse();
        onChange();
      },
      onChange: (playback) => {
        watched.lapse = playback.kind === 'moving' ? undefined : playback;
        onChange();
      },
    });
  }

  /** Whether viewers have got something new since the region last took our media. */
  get isPlaying(): boolean {
    const { movedAtMs, lapse, sentAgainAtMs } = this.#watched ?? {};
    if (movedAtMs === undefined || sentAgainAtMs === undefined) return false;
    return this.#oneClick.kind === 'running' && movedAtMs > sentAgainAtMs && lapse === undefined;
  }

  #followCourse(): void {
    // This computer's session logs the broadcast's course here, but not that it never got on air.
    if (this.#watched?.region.isOwn && this.#oneClick.kind !== 'failed') return;
    this.#course.follow(this.#oneClick, this.isPlaying, this.#options.clock.monotonicMs());
  }
}
