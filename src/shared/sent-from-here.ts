import type { AirState, OneClickState } from './model/live.ts';
import type { Source } from './model/source.ts';

/** Whether a one-click broadcast has failed. It no longer counts once another program is on air or connecting. */
export function isFailure(oneClick: OneClickState, air: AirState): oneClick is Extract<OneClickState, { kind: 'failed' }> {
  return oneClick.kind === 'failed' && air.kind !== 'on-air' && air.kind !== 'connecting';
}

/** Whether Tallylight's own encoder sends or is about to. */
export function isSentFromHere({ kind }: Pick<OneClickState, 'kind'>): boolean {
  return kind !== 'idle' && kind !== 'failed';
}

/** The source that a one-click broadcast sends or is about to send; undefined if it does neither. */
export function findSentSource(oneClick: OneClickState): Source | undefined {
  return 'source' in oneClick && isSentFromHere(oneClick) ? oneClick.source : undefined;
}
