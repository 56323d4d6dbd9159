import { isDeepStrictEqual } from 'node:util';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { runHarmlessly } from '../lib/faults.ts';

interface SharedCaptureOptions<Format> {
  /** Opens the device; returns a function that closes it and resolves when it is closed. */
  open: (format: Format) => () => Promise<void>;
  /** The last listener has left, and the device is closed. */
  onEmpty: () => void;
}

/** One device that several listen to: open while anybody does, and never twice at the same time. */
export class SharedCapture<Listener extends { onLost(fault: CaptureFault): void }, Format> {
  readonly #options: SharedCaptureOptions<Format>;
  readonly #listeners = new Set<Listener>();
  #wanted: { format: Format } | undefined;
  #open: { format: Format; close: () => Promise<void> } | undefined;
  #fault: CaptureFault | undefined;
  /** Nobody can join any more. */
  #isOver = false;
  /** Opening and closing, one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: SharedCaptureOptions<Format>) {
    this.#options = options;
  }

  /**
   * Adds a listener. Returns the undo, which resolves once the device is closed, if this was the last.
   *
   * @param choose picks the format, from the current one and the other listeners; if it changes, the device is reopened
   */
  join(listener: Listener, choose: (present: Format | undefined, others: readonly Listener[]) => Format): () => Promise<void> {
    this.#wanted = { format: choose(this.#wanted?.format, [...this.#listeners]) };
    this.#listeners.add(listener);
    if (this.#fault !== undefined) listener.onLost(this.#fault);
    runHarmlessly(() => this.#follow(), 'opening a device');
    return async () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#wanted = undefined;
      await this.#follow();
    };
  }

  /** Passes media from the device to all listeners. */
  tell(what: (listener: Listener) => void): void {
    this.#fault = undefined;
    for (const listener of [...this.#listeners]) what(listener);
  }

  /** The device is away until it sends something again. */
  lose(fault: CaptureFault): void {
    this.#fault = fault;
    for (const listener of [...this.#listeners]) listener.onLost(fault);
  }

  /** Opens, closes or reopens the device, as wanted when its turn comes. */
  #follow(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const wanted = this.#wanted;
      if (wanted !== undefined && this.#open !== undefined && isDeepStrictEqual(wanted.format, this.#open.format)) return;
      await this.#open?.close();
      this.#open = undefined;
      // Read again: a listener may have joined or left while the device closed.
      if (this.#wanted !== undefined) {
        this.#open = { ...this.#wanted, close: this.#options.open(this.#wanted.format) };
      } else if (!this.#isOver) {
        this.#isOver = true;
        this.#options.onEmpty();
      }
    });
    return this.#turn;
  }
}
