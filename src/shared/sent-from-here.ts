import type { AirState, OneClickKind, OneClickState } from './model/live.ts';
import type { Source } from './model/source.ts';

/** Whether a one-click broadcast has failed. It no longer counts once another program is on air or connecting. */
export function isFailure(oneClick: OneClickState, air: AirState): oneClick is Extract<OneClickState, { kind: 'failed' }> {
  return oneClick.kind === 'failed' && air.kind !== 'on-air' && air.kind !== 'connecting';
}

/** Whether Tallylight's own encoder sends or is about to. */
export function isSentFromHere<State extends Pick<OneClickState, 'kind'>>(
  state: State,
): state is Exclude<State, { kind: 'idle' | 'failed' }> {
  return state.kind !== 'idle' && state.kind !== 'failed';
}

/** Whether our own encoder is the one that sends, or should: while one click tries its ingest again, another program may send. */
export function isOwnEncoder(kind: OneClickKind): boolean {
  return kind === 'starting' || kind === 'running';
}

/** The source that a one-click broadcast sends or is about to send; undefined if it does neither. */
export function findSentSource(oneClick: OneClickState): Source | undefined {
  return isSentFromHere(oneClick) ? oneClick.source : undefined;
}
