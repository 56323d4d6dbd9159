import { isSentFromHere } from '../../shared/sent-from-here.ts';
import { VerdictLog, verdictToLog } from '../health/verdict-log.ts';
import type { EventLog } from '../lib/event-log.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import { describeRemoteAir, judgeRemote, type RemoteFacts } from './remote-health.ts';

/** Logs the troubles of a broadcast that one click sends to a remote service, whether or not a page watches. */
export class RemoteTroubles {
  readonly #verdicts: VerdictLog;

  constructor(log: EventLog, clock: Clock) {
    this.#verdicts = new VerdictLog((severity, event, atMs) => {
      log.add(timeOfDay(clock, atMs), severity, event, { isLate: atMs < clock.monotonicMs() });
    });
  }

  /** Call after each poll, and at every change of the one-click broadcast. */
  follow(facts: RemoteFacts): void {
    const { nowMs } = facts;
    if (isSentFromHere(facts.oneClick)) {
      const { verdict, troubles, lastedMs } = judgeRemote(facts);
      this.#verdicts.feed(verdictToLog(verdict, describeRemoteAir(facts)), troubles, nowMs, nowMs - lastedMs);
    } else this.#verdicts.feed(undefined, [], nowMs);
  }
}
