import type { Meters } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { isElsewhere } from '../../status/is-elsewhere.ts';

/**
 * The measurements of the running broadcast or, off air, of the last one. Measurements made here before a broadcast began, for example
 * while it connected or moved here from another region, say nothing about it.
 */
export function currentMeters(live: Pick<StreamLive, 'meters' | 'service' | 'region' | 'stream'>): Meters | undefined {
  const { meters, stream } = live;
  const { air } = stream;
  const isOld = !isElsewhere(live) && meters !== undefined && air.kind !== 'off-air' && meters.measuredAt < air.since;
  return isOld ? undefined : meters;
}
