import type { AirState, EndedBroadcast, OneClickState } from '../../shared/model/live.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import type { EndCause } from '../streams/end-cause.ts';
import { CourseElsewhere, type CourseEvent } from './course-elsewhere.ts';
import { findLoss, type PlayedElsewhere } from './lost-elsewhere.ts';
import type { RegionPair } from './region-pairs.ts';
import { type FollowPlaybackOptions, followPlayback, stoppedAfterMs } from './region-playback.ts';

/** A region has a playlist after the first GOP. */
const playableWithinMs = 15_000;

export interface BroadcastElsewhereOptions {
  clock: Clock;
  playbackId: () => string;
  /** How often the playback is asked for. */
  playbackPausesMs?: FollowPlaybackOptions['pausesMs'];
  /** What is known of it has changed. */
  onChange: () => void;
  onEvent: (event: CourseEvent) => void;
}

/** What is known of the region in use. Times are those of `Clock.monotonicMs`. */
interface Watched {
  region: RegionPair;
  abort: AbortController;
  sinceMs: number;
  /** Since viewers can play it. A session elsewhere has no id that is known here: it gets a name. */
  playable: { sessionId: string; sinceMs: number } | undefined;
  /** Since when viewers get nothing new, or nobody here knows what they get. */
  lapse: { kind: 'stopped' | 'unseen'; sinceMs: number } | undefined;
  /** When the newest of its connections began. */
  sentAgainAtMs: number | undefined;
}

/** One broadcast of one click, as far as regions that are other computers have it. */
export class BroadcastElsewhere {
  readonly #options: BroadcastElsewhereOptions;
  readonly #course: CourseElsewhere;
  #oneClick: Pick<OneClickState, 'kind'> = { kind: 'starting' };
  #watched: Watched | undefined;
  /** What viewers had of it, in any region. */
  #played: PlayedElsewhere | undefined;

  constructor(options: BroadcastElsewhereOptions) {
    this.#options = options;
    this.#course = new CourseElsewhere(options.onEvent);
    this.#followCourse();
  }

  /** It goes to this region now: watches its playback, if that is another computer. */
  goTo(region: RegionPair): void {
    if (this.#watched?.region.code === region.code) return;
    this.close();
    const abort = new AbortController();
    const sinceMs = this.#options.clock.monotonicMs();
    const watched = { region, abort, sinceMs, playable: undefined, lapse: undefined, sentAgainAtMs: undefined };
    this.#watched = watched;
    // This computer's sessions log their own course.
    if (region.isOwn) this.#course.forget();
    else runHarmlessly(() => this.#watch(watched), 'watching the playback of a region');
  }

  /** The region in use takes our media. */
  noteConnection(publisher: Pick<MediaPublisher, 'closed'>): void {
    const watched = this.#watched;
    if (watched === undefined) return;
    watched.sentAgainAtMs = this.#options.clock.monotonicMs();
    if (this.#played) this.#played.stoppedAt = undefined;
    this.#notePlayed(watched);
    const noteEnd = async () => {
      const { kind } = await publisher.closed;
      if (kind !== 'closed-by-us' && this.#played) this.#played.stoppedAt = this.#options.clock.now();
    };
    runHarmlessly(noteEnd, 'noting the end of a connection to a region');
  }

  /** Call at every change of its one click. */
  follow(oneClick: OneClickState): void {
    this.#oneClick = oneClick;
    this.#followCourse();
  }

  /** It is ended on purpose. */
  end(cause: EndCause): void {
    this.#course.end(cause, this.#options.clock.monotonicMs());
  }

  /** It has failed like this: what viewers have lost; undefined if they had nothing. */
  findLoss(oneClick: OneClickState): EndedBroadcast | undefined {
    return findLoss(this.#played, oneClick);
  }

  /** It is on air on this computer, whose sessions know it. */
  noteOnAirHere(): void {
    if (this.#watched?.region.isOwn) this.#played = undefined;
  }

  close(): void {
    this.#watched?.abort.abort();
  }

  /**
   * Whether it is on air, as far as can be told from here: its playlist keeps changing, and its ingest takes our media. Undefined if it
   * goes to this computer, which knows better.
   */
  air(oneClick: OneClickState): AirState | undefined {
    const { clock } = this.#options;
    const watched = this.#watched;
    if (watched === undefined || watched.region.isOwn) return undefined;
    if (oneClick.kind !== 'starting' && oneClick.kind !== 'running' && oneClick.kind !== 'retrying') return undefined;
    if (oneClick.kind === 'retrying') {
      if (this.#played === undefined) return { kind: 'off-air' };
      const { since, sessionId } = this.#findSession(watched) ?? this.#played;
      return { kind: 'reconnecting', since, sessionId, lostAt: this.#played.stoppedAt ?? clock.now() };
    }
    const session = this.#findSession(watched);
    if (session === undefined || oneClick.kind === 'starting') {
      const isOverdue = oneClick.kind === 'running' && this.#isOverdue(watched);
      return { kind: 'connecting', since: oneClick.since, ...(isOverdue && { awaiting: 'playlist' as const }) };
    }
    const { lapse } = watched;
    const since = lapse && timeOfDay(clock, lapse.sinceMs);
    return {
      kind: 'on-air',
      ...session,
      ...(lapse?.kind === 'stopped' && this.#hasHadTime(watched) && { silentSince: since }),
      ...(lapse?.kind === 'unseen' && { unseenSince: since }),
    };
  }

  /** Whether a region that takes our media should have a playlist by now. */
  #isOverdue({ sinceMs, sentAgainAtMs = 0 }: Watched): boolean {
    return this.#options.clock.monotonicMs() - Math.max(sinceMs, sentAgainAtMs) >= playableWithinMs;
  }

  /** After a new connection, a region needs time for its first segment. */
  #hasHadTime({ sentAgainAtMs }: Watched): boolean {
    return sentAgainAtMs === undefined || this.#options.clock.monotonicMs() - sentAgainAtMs >= stoppedAfterMs;
  }

  /** The session there; undefined before viewers have it. `since` is an epoch time. */
  #findSession({ playable }: Watched): { sessionId: string; since: number } | undefined {
    return playable && { sessionId: playable.sessionId, since: timeOfDay(this.#options.clock, playable.sinceMs) };
  }

  /** Viewers have the broadcast. Before its region takes our media, it may play another encoder's. */
  #notePlayed(watched: Watched): void {
    const session = this.#findSession(watched);
    if (session !== undefined && watched.sentAgainAtMs !== undefined) this.#played ??= { ...session, stoppedAt: undefined };
  }

  #watch(watched: Watched): Promise<void> {
    const { clock, playbackId, onChange, playbackPausesMs: pausesMs } = this.#options;
    const { region, abort } = watched;
    return followPlayback(`${region.reach.playback}/${playbackId()}/index.m3u8`, {
      clock,
      signal: abort.signal,
      ...(pausesMs && { pausesMs }),
      onChange: (playback) => {
        watched.playable ??= { sessionId: `${region.code}-${clock.now()}`, sinceMs: clock.monotonicMs() };
        watched.lapse = playback.kind === 'moving' ? undefined : playback;
        this.#notePlayed(watched);
        this.#followCourse();
        onChange();
      },
    });
  }

  #followCourse(): void {
    if (this.#watched?.region.isOwn) return;
    const { playable, lapse, sentAgainAtMs } = this.#watched ?? {};
    const isPlaying = playable !== undefined && sentAgainAtMs !== undefined && lapse?.kind !== 'stopped';
    this.#course.follow(this.#oneClick, isPlaying, this.#options.clock.monotonicMs());
  }
}
