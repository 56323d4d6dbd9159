import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import { isSentFromHere } from '../../shared/one-click-failure.ts';
import { VerdictLog } from '../health/verdict-log.ts';
import type { EventLog } from '../lib/event-log.ts';
import { judgeRemote, type RemoteFacts } from './remote-health.ts';

/** Logs what is wrong with a broadcast that one click sends to a remote service, whether or not a page watches. */
export class RemoteTroubles {
  readonly #log: EventLog;
  #facts: RemoteFacts | undefined;
  readonly #verdicts = new VerdictLog((severity, event, atMs) => this.#note(severity, event, atMs));

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Call after each poll, and at every change of the one-click broadcast. */
  follow(facts: RemoteFacts): void {
    this.#facts = facts;
    const { nowMs } = facts;
    if (isSentFromHere(facts.oneClick)) {
      const { verdict, troubles, lastedMs } = judgeRemote(facts);
      this.#verdicts.feed(verdict, troubles, nowMs, nowMs - lastedMs);
    } else this.#verdicts.feed(undefined, [], nowMs);
  }

  #note(severity: Severity, event: LogEvent, atMs: number): void {
    if (this.#facts === undefined) return;
    const { now, nowMs } = this.#facts;
    this.#log.add(now - (nowMs - atMs), severity, event, { isLate: atMs < nowMs });
  }
}
