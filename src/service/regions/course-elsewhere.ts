import type { OneClickState, Severity } from '../../shared/model/live.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';
import { type EndCause, isLoss } from '../streams/end-cause.ts';

/** The events of a broadcast between its start and its end, as its own computer logs them. */
export type CourseEvent = LogEventOf<'on-air' | 'back-on-air' | 'ended'>;

/**
 * Logs when a one-click broadcast to another computer, in a region or at a remote service, goes on air, comes back and ends. Times are those
 * of `Clock.monotonicMs`.
 */
export class CourseElsewhere {
  readonly #note: (severity: Severity, event: CourseEvent) => void;
  #startedAtMs: number | undefined;
  #isOnAir = false;
  #lostAtMs: number | undefined;

  constructor(note: (severity: Severity, event: CourseEvent) => void) {
    this.#note = note;
  }

  /**
   * Call whenever an argument may have changed.
   *
   * @param isPlaying whether viewers get our media
   */
  follow(oneClick: OneClickState | { kind: 'starting' }, isPlaying: boolean, nowMs: number): void {
    switch (oneClick.kind) {
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
      case 'failed': {
        const { failure } = oneClick;
        // Another encoder took over: nothing was lost.
        if (failure.code === 'taken-over') this.forget();
        else this.end({ reason: 'encoder-failed', failure }, nowMs);
        return;
      }
      // `end` has already logged who stopped it.
      case 'idle':
        this.forget();
    }
  }

  /** The broadcast ends, for this reason. */
  end(cause: EndCause, nowMs: number): void {
    const goneMs = this.#lostAtMs === undefined ? undefined : nowMs - this.#lostAtMs;
    const severity = isLoss(cause.reason) ? 'bad' : 'good';
    if (this.#isOnAir) this.#note(severity, { code: 'ended', ...cause, ...(goneMs !== undefined && { goneMs }) });
    this.forget();
  }

  /** Later events belong to another broadcast, or are logged elsewhere. */
  forget(): void {
    this.#startedAtMs = undefined;
    this.#isOnAir = false;
    this.#lostAtMs = undefined;
  }

  #seeOnAir(startedAtMs: number, nowMs: number): void {
    if (!this.#isOnAir) this.#note('good', { code: 'on-air', afterMs: nowMs - startedAtMs });
    else if (this.#lostAtMs !== undefined) this.#note('good', { code: 'back-on-air', afterMs: nowMs - this.#lostAtMs });
    this.#isOnAir = true;
    this.#lostAtMs = undefined;
  }
}
