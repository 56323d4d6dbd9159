import type { AirState, EndedBroadcast, OneClickState } from '../../shared/model/live.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';
import { describeLoss, type PlayedElsewhere } from '../regions/lost-elsewhere.ts';

/** The facts about a broadcast to a remote service that decide whether it is on air or lost. */
export interface KnownAir {
  now: number;
  air: AirState;
  oneClick: OneClickState;
  /** It is seen in a region that the service doesn't speak for. */
  isElsewhere: boolean;
  /** While one click tries again, the broadcast on air is another program's. */
  isForeign: boolean;
}

/** The last broadcast from here to a remote stream that was on air, and whether it is lost. Times are epoch milliseconds. */
export class LastOnAir {
  #last: (PlayedElsewhere & { endedAt?: number; isElsewhere: boolean }) | undefined;

  /** Call whenever the one click, or the facts about its broadcast, may have changed. */
  follow({ now, air, oneClick, isElsewhere, isForeign }: KnownAir): void {
    if (oneClick.kind === 'starting') this.#last = undefined;
    if (!isSentFromHere(oneClick)) return;
    // While one click starts or tries again, the broadcast on air is another publisher's.
    if (air.kind === 'on-air' && oneClick.kind !== 'starting' && oneClick.kind !== 'retrying')
      this.#last = { sessionId: air.sessionId, since: air.since, stoppedAt: undefined, isElsewhere };
    else if ((air.kind === 'off-air' || isForeign) && this.#last) this.#last.endedAt ??= now;
    else if (air.kind === 'reconnecting' && this.#last) this.#last.stoppedAt ??= air.lostAt;
  }

  /** Call when the owner has seen that it was lost. */
  dismiss(): void {
    this.#last = undefined;
  }

  /**
   * The broadcast if it has failed, or if its service has ended it while one click was trying its ingest again; until it is dismissed or
   * another one starts.
   *
   * @param isActive whether the service calls the stream active
   */
  findLoss(oneClick: OneClickState, isActive: boolean): EndedBroadcast | undefined {
    if (this.#last === undefined) return undefined;
    const { endedAt } = this.#last;
    if (oneClick.kind === 'retrying' && endedAt !== undefined) return describeLoss(this.#last, endedAt, oneClick.failure);
    // Another publisher took over: while it is on air, nothing was lost.
    const isTakenOver = oneClick.kind === 'failed' && oneClick.failure.code === 'taken-over';
    const isOnAir = this.#last.isElsewhere || isActive;
    if (oneClick.kind !== 'failed' || (isTakenOver && isOnAir)) return undefined;
    return describeLoss(this.#last, endedAt ?? oneClick.at, oneClick.failure);
  }
}
