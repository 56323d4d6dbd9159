import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { PendingAnswers } from '../lib/pending-answers.ts';
import type { Clock } from '../ports.ts';
import { listReachable } from '../regions/list-reachable.ts';
import type { RegionMeter } from '../regions/region-meter.ts';
import type { Remote, RemoteServices } from './remote-services.ts';

/** How long a pair is kept. */
const keptMs = 600_000;

export interface NearestPairOptions {
  remote: () => Remote;
  remotes: Pick<RemoteServices, 'readPairs'>;
  meter: Pick<RegionMeter, 'known' | 'find'>;
  clock: Pick<Clock, 'monotonicMs'>;
}

/** The pair of a remote service's nearest region. */
export class NearestPair {
  readonly #options: NearestPairOptions;
  #last: { pair: IngestPair; of: string; atMs: number } | undefined;
  readonly #asked = new PendingAnswers(() => this.#options.remote().api.findNearestPair());

  constructor(options: NearestPairOptions) {
    this.#options = options;
  }

  /** The last pair found at the service's current address, however old. @throws {ServiceError} NOT_FOUND if the service was removed */
  get last(): IngestPair | undefined {
    return this.#known?.pair;
  }

  /** A pair to show: the last one or, if that is older than 10 minutes, the service's own choice. @throws {RemoteError}, and as `last` */
  async find(): Promise<IngestPair> {
    const known = this.#known;
    if (known !== undefined && this.#options.clock.monotonicMs() - known.atMs < keptMs) return known.pair;
    const address = this.#address;
    const last = this.#last;
    const pair = await this.#asked.ask(address);
    // A pair that was kept meanwhile is newer.
    return address === this.#address && last === this.#last ? this.#keep(pair, address) : this.find();
  }

  /**
   * A pair to send to: the region with the shortest connection time from here. If none can be reached, or there is only one, the service's
   * own choice.
   *
   * @throws {RemoteError}, and as `last`
   */
  async choose(): Promise<IngestPair> {
    const address = this.#address;
    return this.#keep((await this.#measure()) ?? (await this.#options.remote().api.findNearestPair()), address);
  }

  get #address(): string {
    return this.#options.remote().kept.baseUrl;
  }

  /** Another address is another service, with other regions. */
  get #known() {
    return this.#last?.of === this.#address ? this.#last : undefined;
  }

  async #measure(): Promise<IngestPair | undefined> {
    const { remote, remotes, meter } = this.#options;
    const pairs = await remotes.readPairs(remote());
    if (pairs.length < 2) return undefined;
    await meter.known(pairs.map(({ ingest }) => ingest));
    const [nearest] = listReachable(pairs, ({ ingest }) => meter.find(ingest));
    return nearest && { ingest: nearest.ingest, playback: nearest.playback };
  }

  #keep(pair: IngestPair, of: string): IngestPair {
    this.#last = { pair, of, atMs: this.#options.clock.monotonicMs() };
    return pair;
  }
}
