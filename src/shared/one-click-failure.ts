import type { AirState, OneClickState } from './model/live.ts';

/** Whether a one-click broadcast has failed and nothing has taken its place: what another program brings on air since is no failure. */
export function isFailure(oneClick: OneClickState, air: AirState): oneClick is Extract<OneClickState, { kind: 'failed' }> {
  return oneClick.kind === 'failed' && air.kind !== 'on-air' && air.kind !== 'connecting';
}
