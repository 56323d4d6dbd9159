import { runHarmlessly } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { CapturePageHost } from './capture-page-host.ts';

/** How long its page may take until it joins. */
const loadMs = 30_000;
/** How long it stays closed after it kept crashing or didn't load, so that it doesn't take CPU from the broadcast. */
const reopenMs = 60_000;

/** Opens the app's capture window, waits for its page, and decides when it may be opened again; does nothing without a host. */
export class CaptureWindowKeeper {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #host: CapturePageHost | undefined;
  /** Since when we have been waiting for its page; undefined if we aren't. */
  #awaitedSinceMs: number | undefined;
  /** When it was given up, or last opened again; undefined once its page has joined. */
  #gaveUpAtMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs'>, host: CapturePageHost | undefined) {
    this.#clock = clock;
    this.#host = host;
  }

  /** Does nothing while it is open and its page still loads. `hasPage`: its page has joined. */
  open(hasPage: boolean): void {
    const host = this.#host;
    if (host === undefined) return;
    const nowMs = this.#clock.monotonicMs();
    // Until its page joins, opening it again may not have helped.
    if (this.#gaveUpAtMs !== undefined) this.#gaveUpAtMs = nowMs;
    if (!hasPage) this.#awaitedSinceMs ??= nowMs;
    runHarmlessly(() => host.open(), 'opening the capture window');
  }

  close(): void {
    this.#awaitedSinceMs = undefined;
    this.#host?.close();
  }

  /** Its page has joined. */
  noteJoined(): void {
    this.#gaveUpAtMs = undefined;
    this.#awaitedSinceMs = undefined;
  }

  /** It kept crashing, or its page didn't come, and is closed. */
  noteGivenUp(): void {
    this.#gaveUpAtMs = this.#clock.monotonicMs();
    this.#awaitedSinceMs = undefined;
  }

  /** Whether its page hasn't come in time. */
  get isOverdue(): boolean {
    return this.#awaitedSinceMs !== undefined && this.#clock.monotonicMs() - this.#awaitedSinceMs > loadMs;
  }

  /** Whether it may be opened without the user asking. */
  get mayReopen(): boolean {
    return this.#gaveUpAtMs === undefined || this.#clock.monotonicMs() - this.#gaveUpAtMs >= reopenMs;
  }
}
