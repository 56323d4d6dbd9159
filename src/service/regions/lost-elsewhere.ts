import type { EndedBroadcast, OneClickState } from '../../shared/model/live.ts';
import type { OneClickFailure } from '../../shared/model/one-click-failure.ts';

/** A broadcast that viewers had on other computers. Times are epoch milliseconds. */
export interface PlayedElsewhere {
  sessionId: string;
  since: number;
  /** Since when viewers have got nothing new. */
  stoppedAt: number | undefined;
}

/** The loss of a broadcast in another region that has failed for good; undefined if nothing is lost. */
export function findLoss(played: PlayedElsewhere | undefined, oneClick: OneClickState): EndedBroadcast | undefined {
  // Another encoder took over there: nothing was lost.
  if (played === undefined || oneClick.kind !== 'failed' || oneClick.failure.code === 'taken-over') return undefined;
  return describeLoss(played, oneClick.at, oneClick.failure);
}

/** A broadcast that was lost in another region or at a remote service, as screens get it. */
export function describeLoss(
  { sessionId, since, stoppedAt }: PlayedElsewhere,
  endedAt: number,
  failure: OneClickFailure,
): EndedBroadcast {
  const onAirMs = Math.max(0, (stoppedAt ?? endedAt) - since);
  return { sessionId, startedAt: since, endedAt, onAirMs, reason: 'encoder-failed', severity: 'bad', failure };
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

  /** Dismisses the lost broadcast if it is this session; returns whether it was. */
  dismiss(streamId: string, sessionId: string): boolean {
    return this.find(streamId)?.sessionId === sessionId && this.#byStreamId.delete(streamId);
  }
}
