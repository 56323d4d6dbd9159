import { createEventSource } from './event-source.ts';
import { listOwnAddresses } from './own-addresses.ts';

/** How soon a new address is noticed. */
const intervalMs = 1_000;

/**
 * Reports when this computer's network is back: a new address has appeared, for example because a cable was plugged in or Wi-Fi joined
 * another network. Systems list only the addresses of interfaces that are connected.
 *
 * It looks once a second, and only while someone listens.
 */
export class NetworkWatch {
  readonly #readAddresses: () => readonly string[];
  readonly #returned = createEventSource<void>();
  #listeners = 0;
  #timer: NodeJS.Timeout | undefined;
  #known: readonly string[] = [];

  constructor(readAddresses: () => readonly string[] = readOwnAddresses) {
    this.#readAddresses = readAddresses;
  }

  /** Calls `listener` when the network is back; returns the undo. */
  onReturn(listener: () => void): () => void {
    const off = this.#returned.on(listener);
    this.#listeners += 1;
    if (this.#listeners === 1) this.#start();
    let isOff = false;
    return () => {
      if (isOff) return;
      isOff = true;
      off();
      this.#listeners -= 1;
      if (this.#listeners === 0) clearInterval(this.#timer);
    };
  }

  /** Another part of this computer has noticed that the network is back. */
  report(): void {
    this.#returned.emit();
  }

  #start(): void {
    this.#known = this.#readAddresses();
    this.#timer = setInterval(() => this.#look(), intervalMs);
  }

  #look(): void {
    const before = this.#known;
    this.#known = this.#readAddresses();
    if (this.#known.some((address) => !before.includes(address))) this.#returned.emit();
  }
}

/** The addresses by which this computer reaches others. */
function readOwnAddresses(): string[] {
  return listOwnAddresses().flatMap(({ internal, address }) => (internal ? [] : address));
}
