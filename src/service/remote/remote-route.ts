import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { listReachable } from '../regions/list-reachable.ts';
import type { RegionMeter } from '../regions/region-meter.ts';
import { RegionRoute, type RegionRouteOptions, type RouteRegion } from '../regions/region-route.ts';

/** A remote service's region. */
export type RemoteRegion = RouteRegion & IngestPair;

export interface RemoteRouteOptions
  extends Omit<RegionRouteOptions<RemoteRegion>, 'choose' | 'list' | 'findReachable' | 'findIssuer'> {
  /** The pair with which the broadcast begins. */
  first: IngestPair;
  /** The pair of the region whose interface gave the stream key; undefined if unknown. */
  findIssuer: () => Promise<IngestPair | undefined>;
  /** All pairs that the service has listed. */
  listPairs: () => readonly IngestPair[];
  meter: Pick<RegionMeter, 'known' | 'find'>;
}

/** The route of a broadcast to a remote service: the nearest region and, if that fails, the next nearest. */
export function createRemoteRoute({
  first,
  findIssuer,
  listPairs,
  meter,
  ...options
}: RemoteRouteOptions): RegionRoute<RemoteRegion> {
  return new RegionRoute({
    ...options,
    choose: async () => nameRegion(first),
    list: () => listPairs().map(nameRegion),
    async findIssuer() {
      const pair = await findIssuer();
      return pair && nameRegion(pair);
    },
    async findReachable() {
      const pairs = listPairs();
      const ingests = pairs.map(({ ingest }) => ingest);
      await meter.known(ingests, { again: true });
      return listReachable(pairs, ({ ingest }) => meter.find(ingest)).map(nameRegion);
    },
  });
}

/** A pair with its region's code or, if its URLs don't have the interface's shape, with its ingest's host. */
export function nameRegion(pair: IngestPair): RemoteRegion {
  const host = URL.parse(pair.ingest)?.host ?? pair.ingest;
  return { ...pair, code: /^([a-z]{3})-rtmp\./i.exec(host)?.[1]?.toLowerCase() ?? host };
}
