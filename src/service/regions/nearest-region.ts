import type { ConnectionTime } from '../../shared/model/region.ts';

/**
 * These regions, the nearest first: by connection time, then regions that aren't measured, then regions that can't be reached.
 * Equal ones stay in their order.
 */
export function orderByDistance<Region>(
  regions: readonly Region[],
  find: (region: Region) => ConnectionTime | undefined,
): Region[] {
  const distances = new Map(regions.map((region) => [region, measureDistance(find(region))]));
  const distanceOf = (region: Region) => distances.get(region) ?? Number.MAX_VALUE;
  // Infinity minus itself is not a number.
  return [...regions].sort((a, b) => (distanceOf(a) === distanceOf(b) ? 0 : distanceOf(a) - distanceOf(b)));
}

function measureDistance(time: ConnectionTime | undefined): number {
  if (time === undefined) return Number.MAX_VALUE;
  return time.kind === 'reached' ? time.ms : Number.POSITIVE_INFINITY;
}
