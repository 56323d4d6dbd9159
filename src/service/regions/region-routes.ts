import type { AirState, EndedBroadcast, OneClickState } from '../../shared/model/live.ts';
import type { RouteView } from '../../shared/model/region.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { findLoss, LostElsewhere, type PlayedElsewhere } from './lost-elsewhere.ts';
import type { RegionPair } from './region-pairs.ts';
import { type FollowPlaybackOptions, followPlayback, stoppedAfterMs } from './region-playback.ts';
import { type PublishAttempt, type RegionEvent, RegionRoute } from './region-route.ts';
import type { Regions } from './regions.ts';

/** A region has a playlist after the first GOP. */
const playableWithinMs = 15_000;

export interface RegionRoutesOptions {
  regions: Pick<Regions, 'choose' | 'list' | 'findReachable'>;
  clock: Clock;
  /** Opens a connection to an ingest URL with the stream's key. */
  publish: (ingest: string, streamId: string, attempt: PublishAttempt) => Promise<MediaPublisher>;
  findPlaybackId: (streamId: string) => string;
  mayChange: () => boolean;
  patienceMs?: number | undefined;
  /** How often the playback of another region is asked for. */
  playbackPausesMs?: FollowPlaybackOptions['pausesMs'];
  /** Lets the stream's upload try again at once. */
  retry: (streamId: string) => void;
  /** The stream's route has changed, or what viewers get there. */
  onChange: (streamId: string) => void;
  onEvent: (streamId: string, event: RegionEvent) => void;
}

/** The route of one broadcast, and what is known of it in a region that is another computer. */
interface Entry {
  route: RegionRoute<RegionPair>;
  /** The region whose playback is watched. */
  watched: WatchedRegion | undefined;
  /** What viewers had of it, in any region. */
  played: PlayedElsewhere | undefined;
}

/** Times are epoch milliseconds. */
interface WatchedRegion {
  code: string;
  abort: AbortController;
  playableSince: number | undefined;
  /** Since when viewers get nothing new, or nobody here knows what they get. */
  lapse: { kind: 'stopped' | 'unseen'; since: number } | undefined;
  /** When it was first watched, by `Clock.monotonicMs`. */
  watchedAt: number;
  /** When the newest of its connections began, by `Clock.monotonicMs`; undefined before the first. */
  sentAgainAt: number | undefined;
}

/** Where the one-click broadcasts of this computer's streams go: to this computer, or to another region of the service. */
export class RegionRoutes {
  readonly #options: RegionRoutesOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #lost = new LostElsewhere();

  constructor(options: RegionRoutesOptions) {
    this.#options = options;
  }

  /** A new broadcast begins: chooses a region for it. */
  begin(streamId: string): void {
    this.#forget(streamId);
    this.#lost.forget(streamId);
    const { regions, publish, mayChange, retry, onEvent, patienceMs } = this.#options;
    const entry: Entry = {
      watched: undefined,
      played: undefined,
      route: new RegionRoute<RegionPair>({
        choose: () => regions.choose(),
        list: () => regions.list(),
        findReachable: () => regions.findReachable(),
        publish: (region, attempt) => this.#publish(publish(region.reach.ingest, streamId, attempt), region, entry),
        mayChange,
        ...(patienceMs !== undefined && { patienceMs }),
        retry: () => retry(streamId),
        onChange: () => this.#follow(streamId, entry),
        onEvent: (event) => onEvent(streamId, event),
      }),
    };
    this.#entries.set(streamId, entry);
  }

  /** @throws {PublishError} as {@link RegionRoute.connect} */
  connect(streamId: string, signal: AbortSignal): Promise<MediaPublisher> {
    const entry = this.#entries.get(streamId);
    if (entry === undefined) throw new Error('A broadcast has no route.');
    return entry.route.connect(signal);
  }

  /** The URL of the ingest that the stream's broadcast goes to; undefined if it has none. */
  findIngest(streamId: string): string | undefined {
    return this.#entries.get(streamId)?.route.region?.reach.ingest;
  }

  /** Whether the stream's broadcast goes to a region that is another computer. */
  isElsewhere(streamId: string): boolean {
    return this.#entries.get(streamId)?.route.region?.isOwn === false;
  }

  takeOffer(streamId: string): void {
    this.#entries.get(streamId)?.route.takeOffer();
  }

  /** The stream's broadcast has ended, with this state of one click: what is done for it ends. */
  end(streamId: string, oneClick: OneClickState): void {
    const loss = findLoss(this.#entries.get(streamId)?.played, oneClick);
    this.#forget(streamId);
    if (loss !== undefined) this.#lost.note(streamId, loss);
  }

  /** A broadcast that was on air in another region and has failed, until it is dismissed or another one follows. */
  lost(streamId: string): EndedBroadcast | undefined {
    return this.#lost.find(streamId);
  }

  dismissLost(streamId: string, sessionId: string): void {
    if (this.#lost.dismiss(streamId, sessionId)) this.#options.onChange(streamId);
  }

  /** A broadcast of the stream is on air here: what was lost elsewhere is over, and the sessions know one that moved here. */
  noteOnAirHere(streamId: string): void {
    this.#lost.forget(streamId);
    const entry = this.#entries.get(streamId);
    if (entry?.route.region?.isOwn) entry.played = undefined;
  }

  /** The stream was deleted. */
  forgetLost(streamId: string): void {
    this.#lost.forget(streamId);
  }

  #forget(streamId: string): void {
    const entry = this.#entries.get(streamId);
    entry?.watched?.abort.abort();
    entry?.route.close();
    this.#entries.delete(streamId);
  }

  close(): void {
    for (const streamId of [...this.#entries.keys()]) this.#forget(streamId);
  }

  /** Where the stream's broadcast goes; undefined if it has none, or if it goes to this computer as usual. */
  view(streamId: string): RouteView | undefined {
    const route = this.#entries.get(streamId)?.route;
    const region = route?.region;
    const offer = route?.offer?.code;
    if (region === undefined || (region.isOwn && offer === undefined)) return undefined;
    const { code, isOwn, ingest, playback } = region;
    return { code, isOwn, ingest, playback, offer };
  }

  /**
   * Whether the broadcast is on air in a region that is another computer, as far as can be told from here: its playlist keeps changing, and
   * its ingest takes our media. Undefined if it goes to this computer, which knows better.
   */
  air(streamId: string, oneClick: OneClickState): AirState | undefined {
    const entry = this.#entries.get(streamId);
    if (entry?.route.region === undefined || entry.route.region.isOwn) return undefined;
    if (oneClick.kind !== 'starting' && oneClick.kind !== 'running' && oneClick.kind !== 'retrying') return undefined;
    const { code, playableSince, lapse, sentAgainAt } = entry.watched ?? {};
    const { played } = entry;
    if (oneClick.kind === 'retrying') {
      if (played === undefined) return { kind: 'off-air' };
      const { since, sessionId } = playableSince === undefined ? played : nameSession(code, playableSince);
      return { kind: 'reconnecting', since, sessionId, lostAt: played.stoppedAt ?? this.#options.clock.now() };
    }
    if (playableSince === undefined || oneClick.kind === 'starting') {
      const isOverdue = oneClick.kind === 'running' && this.#isOverdue(entry.watched);
      return { kind: 'connecting', since: oneClick.since, ...(isOverdue && { awaiting: 'playlist' as const }) };
    }
    return {
      kind: 'on-air',
      ...nameSession(code, playableSince),
      ...(lapse?.kind === 'stopped' && this.#hasHadTime(sentAgainAt) && { silentSince: lapse.since }),
      ...(lapse?.kind === 'unseen' && { unseenSince: lapse.since }),
    };
  }

  /** Whether a region that takes our media should have a playlist by now. */
  #isOverdue(watched: WatchedRegion | undefined): boolean {
    if (watched === undefined) return false;
    const since = Math.max(watched.watchedAt, watched.sentAgainAt ?? 0);
    return this.#options.clock.monotonicMs() - since >= playableWithinMs;
  }

  /** After a new connection, a region needs time for its first segment. */
  #hasHadTime(sentAgainAt: number | undefined): boolean {
    return sentAgainAt === undefined || this.#options.clock.monotonicMs() - sentAgainAt >= stoppedAfterMs;
  }

  async #publish(opening: Promise<MediaPublisher>, region: RegionPair, entry: Entry): Promise<MediaPublisher> {
    try {
      const publisher = await opening;
      const noteEnd = async () => {
        const { kind } = await publisher.closed;
        if (kind !== 'closed-by-us' && entry.played) entry.played.stoppedAt = this.#options.clock.now();
      };
      if (entry.watched) entry.watched.sentAgainAt = this.#options.clock.monotonicMs();
      if (entry.played) entry.played.stoppedAt = undefined;
      if (entry.watched) this.#notePlayed(entry, entry.watched);
      runHarmlessly(noteEnd, 'noting the end of a connection to a region');
      return publisher;
    } catch (error) {
      throw explainUnknownStream(error, region);
    }
  }

  /** Viewers have the broadcast. Before its region takes our media, it may play another encoder's. */
  #notePlayed(entry: Entry, { code, playableSince: since, sentAgainAt }: WatchedRegion): void {
    if (since === undefined || sentAgainAt === undefined) return;
    entry.played ??= { ...nameSession(code, since), stoppedAt: undefined };
  }

  /** Watches the playback of the region in use, if it is another computer. */
  #follow(streamId: string, entry: Entry): void {
    const { region } = entry.route;
    if (region !== undefined && entry.watched?.code !== region.code) {
      entry.watched?.abort.abort();
      const abort = new AbortController();
      const watched: WatchedRegion = {
        code: region.code,
        abort,
        playableSince: undefined,
        lapse: undefined,
        watchedAt: this.#options.clock.monotonicMs(),
        sentAgainAt: undefined,
      };
      entry.watched = watched;
      if (!region.isOwn)
        runHarmlessly(() => this.#watch(streamId, region, entry, watched), 'watching the playback of a region');
    }
    this.#options.onChange(streamId);
  }

  #watch(streamId: string, region: RegionPair, entry: Entry, watched: WatchedRegion): Promise<void> {
    const { clock, findPlaybackId, onChange, playbackPausesMs: pausesMs } = this.#options;
    return followPlayback(`${region.reach.playback}/${findPlaybackId(streamId)}/index.m3u8`, {
      clock,
      signal: watched.abort.signal,
      ...(pausesMs && { pausesMs }),
      onChange: (playback) => {
        watched.playableSince ??= clock.now();
        this.#notePlayed(entry, watched);
        const { kind } = playback;
        watched.lapse = kind === 'moving' ? undefined : { kind, since: timeOfDay(clock, playback.sinceMs) };
        onChange(streamId);
      },
    });
  }
}

/** A session elsewhere has no id that is known here. */
function nameSession(code: string | undefined, since: number): { sessionId: string; since: number } {
  return { sessionId: `${code}-${since}`, since };
}

/** Another computer's refusal of a key that is right here: it has no such stream. */
function explainUnknownStream(error: unknown, { code, isOwn }: RegionPair): unknown {
  if (isOwn || !(error instanceof PublishError) || error.failure.code !== 'key-refused') return error;
  const { says } = error.failure;
  return new PublishError(error.kind, { code: 'stream-unknown', region: code, says }, { cause: error });
}
