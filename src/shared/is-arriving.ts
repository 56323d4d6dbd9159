import type { AirState } from './model/live.ts';

/** Whether a broadcast is on air and its media arrives. */
export function isArriving(air: AirState): boolean {
  return air.kind === 'on-air' && air.silentSince === undefined;
}
