import type { EndedBroadcast, OneClickState } from '../../shared/model/live.ts';

/** A broadcast that viewers had in another region, whichever it was in last. Times are epoch milliseconds. */
export interface PlayedElsewhere {
  sessionId: string;
  since: number;
  /** Since when they have got nothing new. */
  stoppedAt: number | undefined;
}

/** A broadcast in another region that has failed for good; undefined if nothing is lost. */
export function findLoss(played: PlayedElsewhere | undefined, oneClick: OneClickState): EndedBroadcast | undefined {
  // Who took over is on air there.
  if (played === undefined || oneClick.kind !== 'failed' || oneClick.failure.code === 'taken-over') return undefined;
  const { sessionId, since, stoppedAt } = played;
  const { at, failure } = oneClick;
  const onAirMs = Math.max(0, (stoppedAt ?? at) - since);
  return { sessionId, startedAt: since, endedAt: at, onAirMs, reason: 'encoder-failed', severity: 'bad', failure };
}

/** The last lost broadcast of each stream that was on air elsewhere, until it is dismissed or another one follows. */
export class LostElsewhere {
  readonly #byStreamId = new Map<string, EndedBroadcast>();

  find(streamId: string): EndedBroadcast | undefined {
    return this.#byStreamId.get(streamId);
  }

  note(streamId: string, lost: EndedBroadcast): void {
    this.#byStreamId.set(streamId, lost);
  }

  forget(streamId: string): void {
    this.#byStreamId.delete(streamId);
  }

  /** Returns whether it was this one. */
  dismiss(streamId: string, sessionId: string): boolean {
    return this.find(streamId)?.sessionId === sessionId && this.#byStreamId.delete(streamId);
  }
}
