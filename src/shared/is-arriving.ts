import type { AirState } from './model/live.ts';

/** Whether viewers get a broadcast whose media arrives. */
export function isArriving(air: AirState): boolean {
  return air.kind === 'on-air' && air.silentSince === undefined;
}
