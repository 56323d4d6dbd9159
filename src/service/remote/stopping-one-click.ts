import type { OneClickState } from '../../shared/model/live.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';

/**
 * One click as its remote service knows it: it is still being stopped until the service has answered since. Its last answer is from
 * before, and it may wait for a broadcast whose connection was lost. Times are those of `Clock.monotonicMs`.
 */
export class StoppingOneClick {
  readonly #oneClick: () => OneClickState;
  /** When it was stopped, infinite before that; undefined if the service knows. */
  #stoppedAtMs: number | undefined;

  /** @param oneClick its state on this computer */
  constructor(oneClick: () => OneClickState) {
    this.#oneClick = oneClick;
  }

  get state(): OneClickState {
    const state = this.#oneClick();
    return state.kind === 'idle' && this.#stoppedAtMs !== undefined ? { kind: 'stopping' } : state;
  }

  /** Call before it is stopped. */
  begin(): void {
    if (isSentFromHere(this.#oneClick())) this.#stoppedAtMs = Number.POSITIVE_INFINITY;
  }

  /** Call once it is stopped, and the service has been asked to end a broadcast that it waits for. */
  end(nowMs: number): void {
    if (this.#stoppedAtMs !== undefined) this.#stoppedAtMs = nowMs;
  }

  /** Call when it starts again. */
  forget(): void {
    this.#stoppedAtMs = undefined;
  }

  /** Call after each poll, answered or not, with when it was sent. Returns whether it was the first one since the stop. */
  notePoll(askedAtMs: number): boolean {
    if (this.#stoppedAtMs === undefined || askedAtMs < this.#stoppedAtMs) return false;
    this.#stoppedAtMs = undefined;
    return true;
  }
}
