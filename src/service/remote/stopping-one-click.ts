import type { OneClickState } from '../../shared/model/live.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';

/** How long a service may take to end a broadcast that was stopped here. */
const endsWithinMs = 10_000;

/**
 * One click to a remote stream, which counts as stopping until a poll sent after the stop shows that its service has ended the broadcast,
 * or can't show it: the service's last answer is older, and it may still wait for a lost connection. Times are those of
 * `Clock.monotonicMs`.
 */
export class StoppingOneClick {
  readonly #oneClick: () => OneClickState;
  /** What is shown until then; undefined afterwards. */
  #stopping: Extract<OneClickState, { kind: 'stopping' }> | undefined;
  /** When it was stopped, infinite before that. */
  #stoppedAtMs = Number.POSITIVE_INFINITY;

  /** @param oneClick its state on this computer */
  constructor(oneClick: () => OneClickState) {
    this.#oneClick = oneClick;
  }

  get state(): OneClickState {
    const state = this.#oneClick();
    return state.kind === 'idle' && this.#stopping !== undefined ? this.#stopping : state;
  }

  /** Call before it is stopped. */
  begin(): void {
    const state = this.#oneClick();
    if (!isSentFromHere(state)) return;
    const { source, encode, settings } = state;
    this.#stopping = { kind: 'stopping', source, encode, ...(settings && { settings }) };
    this.#stoppedAtMs = Number.POSITIVE_INFINITY;
  }

  /** Call once it is stopped, and the service has been asked to end a broadcast that it waits for. */
  end(nowMs: number): void {
    this.#stoppedAtMs = nowMs;
  }

  /** Call when it starts again. */
  forget(): void {
    this.#stopping = undefined;
  }

  /**
   * Call after each poll, answered or not, with when it was sent.
   *
   * @param isHeld whether the service says that it still has the broadcast. It is believed once it has had time to end it
   * @returns whether it is no longer stopping
   */
  notePoll(askedAtMs: number, isHeld: boolean): boolean {
    if (this.#stopping === undefined || askedAtMs < this.#stoppedAtMs) return false;
    if (isHeld && askedAtMs - this.#stoppedAtMs < endsWithinMs) return false;
    this.#stopping = undefined;
    return true;
  }
}
