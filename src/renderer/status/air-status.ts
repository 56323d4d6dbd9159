import { assertNever } from '../../shared/assert-never.ts';
import type { AirState, OneClickState } from '../../shared/model/live.ts';

/** The large word of a stream, with the colour that goes with it. */
export interface AirStatus {
  kind: AirState['kind'] | 'suspended' | 'unknown';
  word: 'On air' | 'Off air' | 'Connecting' | 'Reconnecting' | 'Suspended' | 'No contact';
}

/** What can be said of any stream while the service is not heard: that it was on air before does not mean that it still is. */
export const noContact: AirStatus = { kind: 'unknown', word: 'No contact' };

/** What a stream's air state is called. */
export function describeAir(air: AirState, isSuspended: boolean): AirStatus {
  switch (air.kind) {
    case 'on-air':
      return { kind: 'on-air', word: 'On air' };
    case 'connecting':
      return { kind: 'connecting', word: 'Connecting' };
    case 'reconnecting':
      return { kind: 'reconnecting', word: 'Reconnecting' };
    case 'off-air':
      return isSuspended ? { kind: 'suspended', word: 'Suspended' } : { kind: 'off-air', word: 'Off air' };
    default:
      return assertNever(air);
  }
}

/** The same for Studio, where a one-click broadcast that is only starting counts as connecting already. */
export function describeBroadcast(air: AirState, oneClick: OneClickState, isSuspended: boolean): AirStatus {
  if (air.kind === 'off-air' && oneClick.kind === 'retrying') return { kind: 'reconnecting', word: 'Reconnecting' };
  if (air.kind === 'off-air' && (oneClick.kind === 'starting' || oneClick.kind === 'running')) {
    return { kind: 'connecting', word: 'Connecting' };
  }
  return describeAir(air, isSuspended);
}

/** Whether something runs on the stream that Stop would end. */
export function isBroadcasting(air: AirState, oneClick: OneClickState): boolean {
  return air.kind !== 'off-air' || (oneClick.kind !== 'idle' && oneClick.kind !== 'failed');
}

/** When the broadcast began, epoch milliseconds; absent while there is none. */
export function broadcastSince(air: AirState): number | undefined {
  return air.kind === 'on-air' || air.kind === 'reconnecting' ? air.since : undefined;
}
