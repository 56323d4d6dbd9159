import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { type BoundAddress, formatBaseUrls } from './base-urls.ts';

/** A region with its base URLs, all of them of this one region. */
export interface RegionPair extends Required<IngestPair> {
  code: string;
  /** Whether it is this computer's region. */
  isOwn: boolean;
  /** Whether it is in the list of regions; this computer's region exists even if it isn't. */
  isListed: boolean;
  /** The URLs by which this computer reaches the region: its own on loopback, which works wherever a domain leads. */
  reach: Required<IngestPair>;
}

/**
 * The service's regions in their order, this computer's first if the list doesn't have it.
 *
 * Regions without URLs get them from the service domain, with the scheme and the ports of this computer, since computers behind
 * one domain are set up alike. Without a domain they are left out, except this computer's.
 */
export function listRegionPairs(
  { regionCode, serviceDomain, regions }: Pick<Settings, 'regionCode' | 'serviceDomain' | 'regions'>,
  address: BoundAddress,
): RegionPair[] {
  const isListed = regions.some(({ code }) => code === regionCode);
  return [...(isListed ? [] : [{ code: regionCode }]), ...regions].flatMap(({ code, ...region }) => {
    const isOwn = code === regionCode;
    if (!isOwn && !('urls' in region && region.urls) && serviceDomain === undefined) return [];
    const explicit = 'urls' in region ? region.urls : undefined;
    const urls = explicit ?? formatBaseUrls({ regionCode: code, serviceDomain }, address);
    const reach = isOwn ? formatBaseUrls({ regionCode: code }, { ...address, hasTls: false, seenAs: undefined }) : urls;
    return [{ ...urls, code, isOwn, isListed: isOwn ? isListed : true, reach }];
  });
}
