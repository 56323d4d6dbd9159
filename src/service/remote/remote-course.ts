import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';

/** Logs when a broadcast that one click sends to a remote service goes on air, returns and ends. Times are those of `Clock.monotonicMs`. */
export class RemoteCourse {
  readonly #note: (event: LogEvent) => void;
  #startedAtMs: number | undefined;
  #isOnAir = false;
  #lostAtMs: number | undefined;

  constructor(note: (event: LogEvent) => void) {
    this.#note = note;
  }

  /** Call after each poll, and at every change of the one-click broadcast. */
  follow(air: AirState, oneClick: OneClickState, nowMs: number): void {
    switch (oneClick.kind) {
      case 'starting':
        this.#startedAtMs ??= nowMs;
        return;
      case 'retrying':
        if (this.#isOnAir) this.#lostAtMs ??= nowMs;
        return;
      case 'running':
        if (air.kind === 'on-air' && air.silentSince === undefined) this.#seeOnAir(nowMs);
        return;
      case 'stopping':
        return;
      case 'idle':
        if (this.#isOnAir) this.#note({ code: 'ended', reason: 'stopped' });
        break;
      case 'failed':
        // The failure has its own line.
        break;
    }
    this.#startedAtMs = undefined;
    this.#isOnAir = false;
    this.#lostAtMs = undefined;
  }

  #seeOnAir(nowMs: number): void {
    if (!this.#isOnAir) this.#note({ code: 'on-air', afterMs: nowMs - (this.#startedAtMs ?? nowMs) });
    else if (this.#lostAtMs !== undefined) this.#note({ code: 'back-on-air', afterMs: nowMs - this.#lostAtMs });
    this.#isOnAir = true;
    this.#lostAtMs = undefined;
  }
}
