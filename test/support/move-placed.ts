import type { PlacedUnit } from '../../src/service/media/media-unit.ts';

/** Moves a unit's decode and presentation times by this many milliseconds. */
export function movePlaced(unit: PlacedUnit, byMs: number): PlacedUnit {
  return unit.type === 'video' ? { ...unit, dts: unit.dts + byMs, pts: unit.pts + byMs } : { ...unit, dts: unit.dts + byMs };
}
