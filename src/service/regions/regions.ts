import { isLoopbackUrl } from '../../shared/loopback-url.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { RegionsView } from '../../shared/model/region.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { findPlainOrigin } from '../../shared/plain-origin.ts';
import { hasOwnNetwork } from '../lib/own-addresses.ts';
import type { BoundAddress } from './base-urls.ts';
import { listReachable } from './list-reachable.ts';
import type { RegionMeter } from './region-meter.ts';
import { type FindRegionOfAddress, indexNetworks } from './region-networks.ts';
import { listRegionPairs, type RegionPair } from './region-pairs.ts';

/** A caller that asks for the nearest region. */
export interface RegionAsker {
  /** The remote address of its connection; undefined if the connection is gone. */
  address: string | undefined;
  isOnThisComputer: boolean;
  /** The origin that it sent its request to, like `https://live.example.com:4600`; undefined if the request doesn't tell. */
  asked?: URL | undefined;
}

/** The regions of this service, and which of them is the nearest. Reads the settings at each call. */
export class Regions {
  readonly #settings: () => Settings;
  readonly #address: () => BoundAddress;
  readonly #meter: RegionMeter;
  readonly #hasNetwork: () => boolean;
  #networks: { of: Settings['regionNetworks']; find: FindRegionOfAddress } | undefined;

  /** @param options.hasNetwork whether this computer is connected to any network; by default as the system says */
  constructor(options: {
    settings: () => Settings;
    address: () => BoundAddress;
    meter: RegionMeter;
    hasNetwork?: () => boolean;
  }) {
    this.#settings = options.settings;
    this.#address = options.address;
    this.#meter = options.meter;
    this.#hasNetwork = options.hasNetwork ?? hasOwnNetwork;
  }

  /** All regions, in the order of the settings; this computer's is always one of them. */
  list(): RegionPair[] {
    return listRegionPairs(this.#settings(), this.#address());
  }

  /** This computer's region. */
  own(): RegionPair {
    return getOwn(this.list());
  }

  /** The origins of playback in the other regions that a Content-Security-Policy may name. */
  mediaOrigins(): string[] {
    const others = this.list().filter(({ isOwn }) => !isOwn);
    return [...new Set(others.flatMap(({ playback }) => findPlainOrigin(playback) ?? []))];
  }

  /**
   * The URL by which a caller that requested `asked` reaches it again. With a service domain, that is the domain's URL: a proxy
   * with HTTPS may be in front, whose name and scheme the request doesn't tell. A URL with a loopback name stays: the domain may
   * not lead here yet.
   */
  publicUrl(asked: URL): URL {
    if (this.#settings().serviceDomain === undefined || isLoopbackUrl(asked.href)) return asked;
    return new URL(`${asked.pathname}${asked.search}`, this.own().base);
  }

  /** The pairs of all regions, each with its `base`. A caller elsewhere gets this computer's pair by the origin that it used. */
  allPairs(caller: RegionAsker): Required<IngestPair>[] {
    return this.#listFor(caller).map(({ ingest, playback, base }) => ({ ingest, playback, base }));
  }

  /**
   * The pair nearest to a caller. For a caller on this computer by connection times, measured first if they aren't known (2 s at
   * most); for others by the list of networks, or else this computer's pair, by the origin that they used. No answer depends on
   * an earlier one.
   */
  nearestPair(caller: RegionAsker): IngestPair | Promise<IngestPair> {
    const regions = this.#listFor(caller);
    if (!caller.isOnThisComputer) return toPair(this.#findByNetwork(regions, caller.address) ?? getOwn(regions));
    return regions.length === 1 ? toPair(getOwn(regions)) : this.#measureNearest(regions);
  }

  /**
   * All regions, with this computer's URLs by the origin that the caller used: without a domain, nothing else tells how it
   * reaches us.
   */
  #listFor({ isOnThisComputer, asked }: RegionAsker): RegionPair[] {
    const seenAs = isOnThisComputer || (asked && isLoopbackUrl(asked.href)) ? undefined : asked;
    return listRegionPairs(this.#settings(), { ...this.#address(), seenAs });
  }

  /** Those of these regions that are known to be reachable, the nearest first. */
  #listReachable(regions: readonly RegionPair[]): RegionPair[] {
    return listReachable(regions, ({ reach }) => this.#meter.find(reach.ingest));
  }

  /** Measures regions whose times aren't known, in the background; with `again` all of them. */
  measure(options?: { again: boolean }): void {
    this.#meter.measure(listIngests(this.list()), options);
  }

  /** Calls `listener` when a connection time has changed, or is being measured; returns the undo. */
  onChange(listener: () => void): () => void {
    return this.#meter.onChange(listener);
  }

  /** The regions as screens show them. */
  view(): RegionsView {
    const { regions: listed, regionNetworks: networks, serviceDomain, regionChoice, changesRegion } = this.#settings();
    const regions = this.list();
    const nearest = this.#findNearest(regions);
    return {
      regions: regions.map(({ code, ingest, playback, base, isOwn, reach }) => ({
        code,
        ingest,
        playback,
        base,
        isOwn,
        isMeasuring: this.#meter.isMeasuring(reach.ingest),
        time: this.#meter.find(reach.ingest),
      })),
      nearest: nearest?.code,
      chosen: this.expected().code,
      choice: regionChoice,
      changesRegion,
      listed,
      networks,
      serviceDomain,
    };
  }

  /** The region that the next *Go live* sends to, as far as is known without a measurement. */
  expected(): RegionPair {
    const regions = this.list();
    return this.#findChosen(regions) ?? this.#findNearest(regions) ?? getOwn(regions);
  }

  /** The region that the next *Go live* sends to: the one that the user chose, or the nearest. */
  async choose(): Promise<RegionPair> {
    const regions = this.list();
    const chosen = this.#findChosen(regions);
    if (chosen !== undefined || regions.length === 1) return chosen ?? getOwn(regions);
    await this.#meter.known(listIngests(regions));
    return this.#findNearest(regions) ?? getOwn(regions);
  }

  /**
   * Measures all regions again, and returns those that can be reached, the nearest first. Without a network, leaves out this
   * computer's: it still answers on loopback, but no viewer can reach it, while the region that had the broadcast may be fine.
   */
  async findReachable(): Promise<RegionPair[]> {
    const regions = this.list();
    // With one region there is nothing to compare.
    if (regions.length === 1) return regions;
    await this.#meter.known(listIngests(regions), { again: true });
    const reached = this.#listReachable(regions);
    const isCutOff = !this.#hasNetwork() && !regions.every(({ reach }) => isLoopbackUrl(reach.ingest));
    return isCutOff ? reached.filter(({ isOwn }) => !isOwn) : reached;
  }

  /**
   * Whether a broadcast may move to this region without asking. This computer answers on loopback even if the router has lost the
   * internet, and with it the viewers: only an answer of another computer's ingest, even a refusal, proves that the network
   * works.
   */
  mayMoveTo({ isOwn }: Pick<RegionPair, 'isOwn'>): boolean {
    const others = this.list().filter((region) => !region.isOwn && !isLoopbackUrl(region.reach.ingest));
    return !isOwn || others.length === 0 || others.some(({ reach }) => this.#answers(reach.ingest));
  }

  /** Whether an ingest's computer answered when it was last measured. */
  #answers(ingest: string): boolean {
    const time = this.#meter.find(ingest);
    return time?.kind === 'reached' || (time?.kind === 'failed' && time.failure.code === 'connection-refused');
  }

  /** The region that the user chose; undefined if the choice is automatic, or isn't in the list any more. */
  #findChosen(regions: readonly RegionPair[]): RegionPair | undefined {
    const { regionChoice } = this.#settings();
    return regions.find(({ code }) => code === regionChoice);
  }

  /** The nearest region that can be reached; undefined if none is known to be. */
  #findNearest(regions: readonly RegionPair[]): RegionPair | undefined {
    return this.#listReachable(regions)[0];
  }

  async #measureNearest(regions: readonly RegionPair[]): Promise<IngestPair> {
    await this.#meter.known(listIngests(regions));
    return toPair(this.#findNearest(regions) ?? getOwn(regions));
  }

  #findByNetwork(regions: readonly RegionPair[], address: string | undefined): RegionPair | undefined {
    const { regionNetworks } = this.#settings();
    if (address === undefined || regionNetworks.length === 0) return undefined;
    if (this.#networks?.of !== regionNetworks) this.#networks = { of: regionNetworks, find: indexNetworks(regionNetworks) };
    const code = this.#networks.find(address);
    return regions.find((region) => region.code === code);
  }
}

function getOwn(regions: readonly RegionPair[]): RegionPair {
  const own = regions.find(({ isOwn }) => isOwn);
  if (own === undefined) throw new Error('This computer has no region.');
  return own;
}

function listIngests(regions: readonly RegionPair[]): string[] {
  return regions.map(({ reach }) => reach.ingest);
}

function toPair({ ingest, playback }: RegionPair): IngestPair {
  return { ingest, playback };
}
