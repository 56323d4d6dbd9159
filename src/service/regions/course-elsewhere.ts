import { isArriving } from '../../shared/is-arriving.ts';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';

/**
 * Follows a broadcast that one click sends to another region or to a remote service, as far as it is worth a line. Times are those of
 * `Clock.monotonicMs`.
 */
export class CourseElsewhere {
  readonly #note: (event: LogEvent) => void;
  #startedAtMs: number | undefined;
  #isOnAir = false;
  #lostAtMs: number | undefined;

  constructor(note: (event: LogEvent) => void) {
    this.#note = note;
  }

  /** Whether it follows one. */
  get isOpen(): boolean {
    return this.#startedAtMs !== undefined || this.#isOnAir;
  }

  /**
   * Call whenever one of them may have changed.
   *
   * @param air undefined if it goes to this computer, whose sessions tell their own course
   */
  follow(air: AirState | undefined, { kind }: OneClickState, nowMs: number): void {
    if (kind === 'stopping') return;
    // Why it failed is told where it did.
    if (kind === 'idle' && this.#isOnAir) this.#note({ code: 'ended', reason: 'stopped' });
    if (kind === 'idle' || kind === 'failed' || air === undefined) this.#forget();
    else if (kind === 'starting') this.#startedAtMs ??= nowMs;
    else if (kind === 'retrying' && this.#isOnAir) this.#lostAtMs ??= nowMs;
    else if (kind === 'running' && isArriving(air)) this.#seeOnAir(nowMs);
  }

  #forget(): void {
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
