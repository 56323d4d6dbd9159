import type { AirState, EndedBroadcast, OneClickState, Severity } from '../../shared/model/live.ts';
import type { RouteView } from '../../shared/model/region.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import type { EndCause } from '../streams/end-cause.ts';
import { BroadcastElsewhere } from './broadcast-elsewhere.ts';
import type { CourseEvent } from './course-elsewhere.ts';
import { KnownKey } from './known-key.ts';
import { LostElsewhere } from './lost-elsewhere.ts';
import type { RegionPair } from './region-pairs.ts';
import type { FollowPlaybackOptions } from './region-playback.ts';
import { type PublishAttempt, type RegionEvent, RegionRoute } from './region-route.ts';
import type { Regions } from './regions.ts';
import { explainUnknownStream, isKeyRefusal } from './unknown-stream.ts';

export interface RegionRoutesOptions {
  regions: Pick<Regions, 'choose' | 'list' | 'findReachable' | 'mayMoveTo'>;
  clock: Clock;
  /** Opens a connection to an ingest URL. */
  publish: (ingest: string, streamKey: string, attempt: PublishAttempt) => Promise<MediaPublisher>;
  revealKey: (streamId: string) => string;
  findPlaybackId: (streamId: string) => string;
  mayChange: () => boolean;
  patienceMs?: number | undefined;
  /** How often the playback of another region is requested. */
  playbackPausesMs?: FollowPlaybackOptions['pausesMs'];
  /** Lets the stream's upload try again at once. */
  retry: (streamId: string) => void;
  /** The stream's route has changed, or the broadcast's state in its region. */
  onChange: (streamId: string) => void;
  onEvent: (streamId: string, event: RegionEvent) => void;
  /** The stream's broadcast to another region is on air, back or ended. */
  onCourse: (streamId: string, severity: Severity, event: CourseEvent) => void;
}

/** The route of one broadcast, its stream's key, and its state in regions that are other computers. */
interface Entry {
  route: RegionRoute<RegionPair>;
  key: KnownKey;
  elsewhere: BroadcastElsewhere;
}

/** The routes of the one-click broadcasts of this computer's streams: to this computer, or to another region of the service. */
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
    const { regions, clock, publish, revealKey, findPlaybackId, mayChange, patienceMs, playbackPausesMs } = this.#options;
    const { retry, onChange, onEvent, onCourse } = this.#options;
    const elsewhere = new BroadcastElsewhere({
      clock,
      findPlaybackId: () => findPlaybackId(streamId),
      playbackPausesMs,
      onChange: () => onChange(streamId),
      onEvent: (severity, event) =>
        runHarmlessly(() => onCourse(streamId, severity, event), 'logging the course of a broadcast elsewhere'),
    });
    const key = new KnownKey(() => revealKey(streamId));
    const route = new RegionRoute<RegionPair>({
      choose: () => regions.choose(),
      list: () => regions.list(),
      findNow: ({ code, isOwn }) => regions.list().find((region) => region.code === code && region.isOwn === isOwn),
      findReachable: () => regions.findReachable(),
      publish: (region, attempt) =>
        this.#publish((streamKey) => publish(region.reach.ingest, streamKey, attempt), region, { key, elsewhere }),
      mayChange: (next) => mayChange() && regions.mayMoveTo(next),
      clock,
      patienceMs,
      retry: () => retry(streamId),
      onChange: () => {
        if (route.region !== undefined) elsewhere.goTo(route.region);
        onChange(streamId);
      },
      onEvent: (event) => runHarmlessly(() => onEvent(streamId, event), 'logging what happens to the region of a broadcast'),
    });
    this.#entries.set(streamId, { route, key, elsewhere });
  }

  /** @throws {PublishError} as {@link RegionRoute.connect} */
  connect(streamId: string, signal: AbortSignal): Promise<MediaPublisher> {
    const entry = this.#entries.get(streamId);
    if (entry === undefined) throw new Error('A broadcast has no route.');
    return entry.route.connect(signal);
  }

  /** The stream has a new key: its broadcast must not come back with the old one. */
  forgetKey(streamId: string): void {
    this.#entries.get(streamId)?.key.forget();
  }

  /** The URL of the ingest that the stream's broadcast goes to; undefined if it has none. */
  findIngest(streamId: string): string | undefined {
    return this.#entries.get(streamId)?.route.region?.reach.ingest;
  }

  /** Whether the stream's broadcast goes to a region that is another computer. */
  isElsewhere(streamId: string): boolean {
    return this.#entries.get(streamId)?.route.region?.isOwn === false;
  }

  /** As {@link RegionRoute.takeOffer}. */
  takeOffer(streamId: string, code: string): boolean {
    return this.#entries.get(streamId)?.route.takeOffer(code) === true;
  }

  /** Call at every change of the stream's one click. Once that has ended, its broadcast's route ends, too. */
  follow(streamId: string, oneClick: OneClickState): void {
    const { route, elsewhere } = this.#entries.get(streamId) ?? {};
    elsewhere?.follow(oneClick);
    // Stop looking for another region, and let an offer lapse.
    if (oneClick.kind === 'stopping') route?.close();
    if (isSentFromHere(oneClick)) return;
    const loss = elsewhere?.findLoss(oneClick);
    this.#forget(streamId);
    if (loss !== undefined) this.#lost.note(streamId, loss);
  }

  /** The stream's broadcast is ended on purpose. Call it before its one click stops. */
  end(streamId: string, cause: EndCause): void {
    this.#entries.get(streamId)?.elsewhere.end(cause);
  }

  /** A broadcast that was on air in another region and has failed, until it is dismissed or another one follows. */
  lost(streamId: string): EndedBroadcast | undefined {
    return this.#lost.find(streamId);
  }

  dismissLost(streamId: string, sessionId: string): void {
    if (this.#lost.dismiss(streamId, sessionId)) this.#options.onChange(streamId);
  }

  /**
   * A broadcast of the stream has been on air here since this time (epoch milliseconds): earlier losses elsewhere no longer show,
   * and if it moved here, its sessions log it from now on.
   */
  noteOnAirHere(streamId: string, since: number): void {
    if ((this.lost(streamId)?.endedAt ?? since) <= since) this.#lost.forget(streamId);
    this.#entries.get(streamId)?.elsewhere.noteOnAirHere();
  }

  /** The stream was deleted. */
  forgetLost(streamId: string): void {
    this.#lost.forget(streamId);
  }

  #forget(streamId: string): void {
    const entry = this.#entries.get(streamId);
    entry?.elsewhere.close();
    entry?.route.close();
    this.#entries.delete(streamId);
  }

  close(): void {
    for (const streamId of [...this.#entries.keys()]) this.#forget(streamId);
  }

  /** The region that the stream's broadcast goes to; undefined without a broadcast, or if it goes to this computer as usual. */
  view(streamId: string): RouteView | undefined {
    const route = this.#entries.get(streamId)?.route;
    const region = route?.region;
    const offer = route?.offer?.code;
    if (region === undefined || (region.isOwn && offer === undefined)) return undefined;
    const { code, isOwn, ingest, playback } = region;
    return { code, isOwn, ingest, playback, offer };
  }

  /** As {@link BroadcastElsewhere.air}. */
  air(streamId: string, oneClick: OneClickState): AirState | undefined {
    return this.#entries.get(streamId)?.elsewhere.air(oneClick);
  }

  /** As {@link BroadcastElsewhere.moving}. */
  moving(streamId: string, oneClick: OneClickState): ReturnType<BroadcastElsewhere['moving']> {
    return this.#entries.get(streamId)?.elsewhere.moving(oneClick);
  }

  async #publish(
    open: (streamKey: string) => Promise<MediaPublisher>,
    region: RegionPair,
    { key, elsewhere }: Pick<Entry, 'key' | 'elsewhere'>,
  ): Promise<MediaPublisher> {
    const streamKey = key.reveal();
    try {
      const publisher = await open(streamKey);
      elsewhere.noteConnection(publisher);
      return publisher;
    } catch (error) {
      // The key was renewed in the meantime: the next attempt has the new one.
      if (isKeyRefusal(error) && key.reveal() !== streamKey) throw new PublishError('lost', error.failure, { cause: error });
      throw region.isOwn ? error : explainUnknownStream(error, { region: region.code });
    }
  }
}
