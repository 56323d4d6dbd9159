import { pause } from '../../shared/pause.ts';

/** The pause before something that failed is tried again. */
const againMs = 1_000;

/**
 * Sends the wanted media until `signal` aborts; calls `works` whenever something was sent.
 *
 * @throws the error that keeps it from sending
 */
type Send<Wanted> = (wanted: Wanted, signal: AbortSignal, works: () => void) => Promise<void>;

/** Runs `send` while something is wanted, starts it again when something else is, and a second after it failed. */
export class Demand<Wanted> {
  readonly #send: Send<Wanted>;
  readonly #onFault: (error: unknown) => void;
  #current: { key: string; wanted: Wanted; abort: AbortController } | undefined;
  #isFaulty = false;

  /** @param onFault sending has failed; with undefined, it works again or isn't wanted any more */
  constructor(send: Send<Wanted>, onFault: (error: unknown) => void) {
    this.#send = send;
    this.#onFault = onFault;
  }

  set(wanted: Wanted | undefined): void {
    const key = JSON.stringify(wanted) ?? '';
    if (key === (this.#current?.key ?? '')) return;
    this.#current?.abort.abort();
    this.#current = undefined;
    if (wanted === undefined) this.#works();
    else this.#start(key, wanted);
  }

  /** Starts sending the wanted media again. */
  again(): void {
    if (this.#current === undefined) return;
    const { key, wanted, abort } = this.#current;
    abort.abort();
    this.#start(key, wanted);
  }

  #start(key: string, wanted: Wanted): void {
    const abort = new AbortController();
    this.#current = { key, wanted, abort };
    void this.#run(wanted, abort.signal);
  }

  async #run(wanted: Wanted, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        // Over as soon as the track has ended.
        return await this.#send(wanted, signal, () => this.#works());
      } catch (error) {
        if (signal.aborted) return;
        this.#isFaulty = true;
        this.#onFault(error);
      }
      await pause(againMs, signal);
    }
  }

  #works(): void {
    if (!this.#isFaulty) return;
    this.#isFaulty = false;
    this.#onFault(undefined);
  }
}
