import { findStoreFault } from '../store/store-fault.ts';

/** The stream key of a running broadcast, as last read: its encoder may reconnect while the store can't be read. */
export class KnownKey {
  readonly #read: () => string;
  #last: string | undefined;

  constructor(read: () => string) {
    this.#read = read;
  }

  reveal(): string {
    try {
      this.#last = this.#read();
      return this.#last;
    } catch (error) {
      if (this.#last === undefined || findStoreFault(error) === undefined) throw error;
      return this.#last;
    }
  }

  /** The stream has a new key. */
  forget(): void {
    this.#last = undefined;
  }
}
