import type { Settings } from '../../shared/model/settings.ts';
import type { ViolationOf } from '../../shared/model/violation.ts';

/** A disagreement of settings on regions. */
export type RegionViolation = ViolationOf<'region-without-urls' | 'unknown-region'>;

/** The settings that are about regions and must agree with each other. */
type RegionSettings = Pick<Settings, 'regionCode' | 'serviceDomain' | 'regions' | 'regionNetworks' | 'regionChoice'>;

/** Finds settings of regions that disagree with each other, though each is valid by itself. */
export function findRegionViolations(settings: RegionSettings): RegionViolation[] {
  const { regionCode, serviceDomain, regions, regionNetworks, regionChoice } = settings;
  const codes = new Set([regionCode, ...regions.map(({ code }) => code)]);
  const violations: RegionViolation[] = [];
  for (const [index, { code, urls }] of regions.entries()) {
    if (urls === undefined && serviceDomain === undefined && code !== regionCode)
      violations.push({ code: 'region-without-urls', path: ['regions', index, 'urls'], region: code });
  }
  for (const [index, { region }] of regionNetworks.entries()) {
    if (!codes.has(region)) violations.push({ code: 'unknown-region', path: ['regionNetworks', index, 'region'], region });
  }
  if (regionChoice !== 'automatic' && !codes.has(regionChoice))
    violations.push({ code: 'unknown-region', path: ['regionChoice'], region: regionChoice });
  return violations;
}

/** The violations that `before` doesn't have, even if their entries have moved in the list. */
export function findNewRegionViolations(settings: RegionSettings, before: RegionSettings): RegionViolation[] {
  const known = findRegionViolations(before);
  return findRegionViolations(settings).filter(
    ({ code, path, region }) =>
      !known.some((other) => other.code === code && other.path[0] === path[0] && other.region === region),
  );
}
