import type { OneClickState } from '../../shared/model/live.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';
import type { EndCause } from '../streams/end-cause.ts';

/** What happens to a broadcast between its start and its end, as its own computer logs it. */
export type CourseEvent = LogEventOf<'on-air' | 'back-on-air' | 'ended'>;

/**
 * Logs when a broadcast that one click sends to another computer, a region's or a remote service's, goes on air, returns and ends. Times
 * are those of `Clock.monotonicMs`.
 */
export class CourseElsewhere {
  readonly #note: (event: CourseEvent) => void;
  #startedAtMs: number | undefined;
  #isOnAir = false;
  #lostAtMs: number | undefined;

  constructor(note: (event: CourseEvent) => void) {
    this.#note = note;
  }

  /**
   * Call whenever one of them may have changed.
   *
   * @param isPlaying whether viewers get what is sent
   */
  follow({ kind }: Pick<OneClickState, 'kind'>, isPlaying: boolean, nowMs: number): void {
    switch (kind) {
      case 'starting':
        this.#startedAtMs ??= nowMs;
        return;
      case 'retrying':
        if (this.#isOnAir) this.#lostAtMs ??= nowMs;
        else this.#startedAtMs ??= nowMs;
        return;
      case 'running':
        this.#startedAtMs ??= nowMs;
        if (isPlaying) this.#seeOnAir(this.#startedAtMs, nowMs);
        return;
      case 'stopping':
        return;
      // Why it failed has its own line, and who stopped it comes with the end.
      case 'idle':
      case 'failed':
        this.forget();
    }
  }

  /** It was ended on purpose. */
  end(cause: EndCause, nowMs: number): void {
    const goneMs = this.#lostAtMs === undefined ? undefined : nowMs - this.#lostAtMs;
    if (this.#isOnAir) this.#note({ code: 'ended', ...cause, ...(goneMs !== undefined && { goneMs }) });
    this.forget();
  }

  /** Whatever happens next belongs to another broadcast, or is logged by another. */
  forget(): void {
    this.#startedAtMs = undefined;
    this.#isOnAir = false;
    this.#lostAtMs = undefined;
  }

  #seeOnAir(startedAtMs: number, nowMs: number): void {
    if (!this.#isOnAir) this.#note({ code: 'on-air', afterMs: nowMs - startedAtMs });
    else if (this.#lostAtMs !== undefined) this.#note({ code: 'back-on-air', afterMs: nowMs - this.#lostAtMs });
    this.#isOnAir = true;
    this.#lostAtMs = undefined;
  }
}
