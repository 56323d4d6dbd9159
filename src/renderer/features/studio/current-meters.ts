import type { Meters } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { isElsewhere } from '../../status/is-elsewhere.ts';

/**
 * What was measured of the broadcast that runs, or of the last one off air. What was measured here before a broadcast began, as one that
 * connects or moves here from another region, says nothing about it.
 */
export function currentMeters(live: Pick<StreamLive, 'meters' | 'service' | 'region' | 'stream'>): Meters | undefined {
  const { meters, stream } = live;
  const { air } = stream;
  const isOld = !isElsewhere(live) && meters !== undefined && air.kind !== 'off-air' && meters.measuredAt < air.since;
  return isOld ? undefined : meters;
}
