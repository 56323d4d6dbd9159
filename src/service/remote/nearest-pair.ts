import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { PendingAnswers } from '../lib/pending-answers.ts';
import type { Clock } from '../ports.ts';
import { orderByDistance } from '../regions/nearest-region.ts';
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
  #last: { pair: IngestPair; atMs: number } | undefined;
  readonly #asked = new PendingAnswers(() => this.#options.remote().api.findNearestPair());

  constructor(options: NearestPairOptions) {
    this.#options = options;
  }

  /** The last one that was found, however old. */
  get last(): IngestPair | undefined {
    return this.#last?.pair;
  }

  /** A pair to show: the last one or, if that is older than 10 minutes, the service's own choice. @throws {RemoteError} */
  async find(): Promise<IngestPair> {
    const { clock, remote } = this.#options;
    if (this.#last !== undefined && clock.monotonicMs() - this.#last.atMs < keptMs) return this.#last.pair;
    return this.#keep(await this.#asked.ask(remote().kept.baseUrl));
  }

  /**
   * A pair to send to: that of the region with the shortest connection time from here. If none is reached, or there is only one, it is
   * the service's own choice.
   *
   * @throws {RemoteError}
   */
  async choose(): Promise<IngestPair> {
    return this.#keep((await this.#measure()) ?? (await this.#options.remote().api.findNearestPair()));
  }

  async #measure(): Promise<IngestPair | undefined> {
    const { remote, remotes, meter } = this.#options;
    const pairs = await remotes.readPairs(remote());
    if (pairs.length < 2) return undefined;
    await meter.known(pairs.map(({ ingest }) => ingest));
    const [first] = orderByDistance(pairs, ({ ingest }) => meter.find(ingest));
    if (first === undefined || meter.find(first.ingest)?.kind !== 'reached') return undefined;
    return { ingest: first.ingest, playback: first.playback };
  }

  #keep(pair: IngestPair): IngestPair {
    this.#last = { pair, atMs: this.#options.clock.monotonicMs() };
    return pair;
  }
}
