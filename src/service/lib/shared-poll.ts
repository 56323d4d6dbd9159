import { keepRunning } from '../../shared/keep-running.ts';
import { createEventSource } from './event-source.ts';
import { runHarmlessly } from './faults.ts';

export interface SharedPollOptions {
  /**
   * Reads once. Must not throw. If nobody needs it any more and then somebody does, another read begins at once: `isOvertaken` says whether
   * one has, so that what this one read is out of date.
   */
  read: (isOvertaken: () => boolean) => Promise<void>;
  /** The pause until the next read, in milliseconds; asked after each. */
  pauseMs: () => number;
}

/** Polls something while somebody needs it. All who do share the same reads. */
export class SharedPoll {
  readonly #options: SharedPollOptions;
  readonly #wakes = createEventSource<void>();
  readonly #done = createEventSource<void>();
  #needs = 0;
  #isDue = false;
  #ending: AbortController | undefined;

  constructor(options: SharedPollOptions) {
    this.#options = options;
  }

  get isNeeded(): boolean {
    return this.#needs > 0;
  }

  /** Starts reading, at once, if nobody else needed it. Returns the undo. */
  need(): () => void {
    this.#needs += 1;
    if (this.#needs === 1) this.#start();
    let isNeeded = true;
    return () => {
      if (!isNeeded) return;
      isNeeded = false;
      this.#needs -= 1;
      if (this.#needs === 0) this.#ending?.abort();
    };
  }

  /** Reads now instead of after the pause, if it is needed at all. */
  wake(): void {
    this.#isDue = true;
    this.#wakes.emit();
  }

  /** Resolves after the next read. */
  async nextRead(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const off = this.#done.on(resolve);
    await promise;
    off();
  }

  #start(): void {
    const ending = new AbortController();
    this.#ending = ending;
    const isOvertaken = () => this.#ending !== ending;
    const once = async () => {
      this.#isDue = false;
      await this.#options.read(isOvertaken);
      if (!isOvertaken()) this.#done.emit();
    };
    runHarmlessly(
      () =>
        keepRunning(once, {
          signal: ending.signal,
          // `wake` may have been called during the read.
          nextAfterMs: () => (this.#isDue ? 0 : this.#options.pauseMs()),
          onWake: (wake) => this.#wakes.on(wake),
        }),
      'polling',
    );
  }
}
