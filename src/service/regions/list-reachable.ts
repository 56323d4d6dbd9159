import type { ConnectionTime } from '../../shared/model/region.ts';

/** Those of these regions that can be reached, the nearest first, by connection time. Equal ones stay in their order. */
export function listReachable<Region>(
  regions: readonly Region[],
  find: (region: Region) => ConnectionTime | undefined,
): Region[] {
  return regions
    .flatMap((region) => {
      const time = find(region);
      return time?.kind === 'reached' ? [{ region, ms: time.ms }] : [];
    })
    .sort((a, b) => a.ms - b.ms)
    .map(({ region }) => region);
}
