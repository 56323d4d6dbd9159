import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { type BoundAddress, formatBaseUrls } from './base-urls.ts';

/** A region with its base URLs, all of them of this one region. */
export interface RegionPair extends Required<IngestPair> {
  code: string;
  /** This computer's. */
  isOwn: boolean;
  /** Whether the list of regions has it; this computer's region is one even if the list doesn't have it. */
  isListed: boolean;
  /** The URLs as this computer reaches them: its own on loopback, which works whatever a domain leads to. */
  reach: Required<IngestPair>;
}

/**
 * The service's regions in their order, this computer's first if the list doesn't have it.
 *
 * Those without URLs are made from the service domain, with the scheme and the ports of this computer: several of them behind one
 * domain are set up alike. Without a domain they are left out, except this computer's.
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
