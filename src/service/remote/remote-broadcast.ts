import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { BroadcastElsewhere } from '../regions/broadcast-elsewhere.ts';
import type { FollowPlaybackOptions } from '../regions/region-playback.ts';
import type { PublishAttempt, RegionRoute } from '../regions/region-route.ts';
import { explainUnknownStream, isKeyRefusal } from '../regions/unknown-stream.ts';
import { findApiPair } from './api-pair.ts';
import { readRemoteFailure } from './remote-error.ts';
import { createRemoteRoute, nameRegion, type RemoteRegion, type RemoteRouteOptions } from './remote-route.ts';
import type { Remote } from './remote-services.ts';

export interface RemoteBroadcastOptions extends Omit<RemoteRouteOptions, 'publish' | 'findIssuer' | 'listPairs' | 'clock'> {
  clock: Clock;
  service: () => Remote;
  playbackId: string;
  /** Opens a connection to an ingest URL. */
  publish: (ingest: string, attempt: PublishAttempt) => Promise<MediaPublisher>;
  /** The pauses between two requests of a region's playlist. */
  playbackPausesMs?: FollowPlaybackOptions['pausesMs'];
}

/** A broadcast as seen in a region that its service's interface doesn't speak for. */
export interface SeenElsewhere {
  region: string;
  air: AirState;
}

/**
 * One broadcast of one click to a remote service: where it goes, and whether viewers get it. The interface speaks for the region that it
 * belongs to, and for each that it turns out to know; the playback of any other is watched from here. Single use.
 */
export class RemoteBroadcast {
  readonly #options: RemoteBroadcastOptions;
  readonly #elsewhere: BroadcastElsewhere;
  /** The region in which the service has called the stream active since we send there. */
  #activeIn: string | undefined;
  #isClosed = false;
  readonly route: RegionRoute<RemoteRegion>;

  constructor(options: RemoteBroadcastOptions) {
    this.#options = options;
    const { clock, service, playbackId, publish, playbackPausesMs, onChange, ...rest } = options;
    this.#elsewhere = new BroadcastElsewhere({
      clock,
      findPlaybackId: () => playbackId,
      playbackPausesMs,
      staysAtOrigin: true,
      onChange,
    });
    this.route = createRemoteRoute({
      ...rest,
      clock,
      listPairs: () => service().kept.pairs,
      findIssuer: () => this.#findIssuer(),
      publish: (region, attempt) => this.#publish(region, publish(region.ingest, attempt)),
      onChange: () => {
        this.#followRoute();
        onChange();
      },
    });
  }

  /** Call at every change of its one click. */
  follow(oneClick: OneClickState): void {
    this.#elsewhere.follow(oneClick);
  }

  /** The service has called the stream active since we send: in this region, we ask it from now on instead of watching the playlist. */
  noteActive(): void {
    this.#activeIn = this.route.region?.code;
    this.#followRoute();
    this.#elsewhere.noteOnAirHere();
  }

  /** The broadcast as seen from here; undefined if its service knows better, or it is over. */
  see(oneClick: OneClickState): SeenElsewhere | undefined {
    const region = this.route.region?.code;
    if (region === undefined || this.#isClosed) return undefined;
    const air = this.#elsewhere.air(oneClick);
    if (air !== undefined) return { region, air };
    const moving = this.#elsewhere.moving(oneClick);
    return moving && { region, air: { ...moving, ...(oneClick.kind === 'running' && { back: 'sending' as const }) } };
  }

  /** Whether viewers of a region that is watched from here have got new media since the region last accepted ours. */
  get isPlaying(): boolean {
    return this.#elsewhere.isPlaying;
  }

  /** It is over. */
  close(): void {
    this.#isClosed = true;
    this.route.close();
    this.#elsewhere.close();
  }

  #followRoute(): void {
    const { region } = this.route;
    if (region === undefined) return;
    const { code, playback } = region;
    this.#elsewhere.goTo({ code, isOwn: code === this.#activeIn || this.#isOfApi(region), reach: { playback } });
  }

  #isOfApi({ ingest }: RemoteRegion): boolean {
    const { pairs, baseUrl } = this.#options.service().kept;
    return findApiPair(pairs, baseUrl)?.ingest === ingest;
  }

  /** The pair with the interface's host, or else the service's own choice. */
  async #findIssuer(): Promise<IngestPair | undefined> {
    const { kept, api } = this.#options.service();
    const pair = findApiPair(kept.pairs, kept.baseUrl);
    if (pair !== undefined) return pair;
    try {
      return await api.findNearestPair();
    } catch (error) {
      readRemoteFailure(error);
      return undefined;
    }
  }

  async #publish({ code }: RemoteRegion, opening: Promise<MediaPublisher>): Promise<MediaPublisher> {
    try {
      const publisher = await opening;
      this.#elsewhere.noteConnection(publisher);
      return publisher;
    } catch (error) {
      if (!isKeyRefusal(error)) throw error;
      const issuer = await this.#findIssuer();
      const isOfOther = issuer !== undefined && nameRegion(issuer).code !== code;
      throw isOfOther ? explainUnknownStream(error, { region: code, ofService: true }) : error;
    }
  }
}
