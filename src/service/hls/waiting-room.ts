import { runHarmlessly } from '../lib/faults.ts';
import type { SegmentStore } from './segment-store.ts';

/** How a wait ended. `gone`: the requester has left. */
export type WaitEnd = 'ready' | 'late' | 'closed' | 'gone';

interface Waiter {
  isReady: () => boolean;
  deadline: number;
  end: (end: WaitEnd) => void;
}

/** How often deadlines are checked. */
const sweepMs = 250;

/**
 * Requests that wait until something is added to a store. It has one listener per store and one timer for all, both only while a
 * request waits.
 */
export class WaitingRoom {
  readonly #rooms = new Map<SegmentStore, { waiters: Set<Waiter>; stop: () => void }>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** Resolves once `isReady` is true after a change of the store, or `timeoutMs` later, or when the signal aborts. */
  async wait(store: SegmentStore, isReady: () => boolean, timeoutMs: number, signal: AbortSignal): Promise<WaitEnd> {
    if (this.#closed) return 'closed';
    if (isReady()) return 'ready';
    if (signal.aborted) return 'gone';
    return await new Promise((resolve) => {
      const { waiters } = this.#open(store);
      const leave = () => waiter.end('gone');
      const waiter: Waiter = {
        isReady,
        deadline: performance.now() + timeoutMs,
        end: (end) => {
          if (!waiters.delete(waiter)) return;
          signal.removeEventListener('abort', leave);
          if (waiters.size === 0) this.#leave(store);
          resolve(end);
        },
      };
      waiters.add(waiter);
      signal.addEventListener('abort', leave);
    });
  }

  /** Ends every wait, and any that is still to come; may be called twice. */
  close(): void {
    this.#closed = true;
    this.#endAll('closed', () => true);
  }

  #open(store: SegmentStore): { waiters: Set<Waiter> } {
    const known = this.#rooms.get(store);
    if (known) return known;
    const waiters = new Set<Waiter>();
    const stop = store.onChange(() => {
      for (const waiter of [...waiters]) if (waiter.isReady()) waiter.end('ready');
    });
    this.#rooms.set(store, { waiters, stop });
    this.#timer ??= setInterval(() => runHarmlessly(() => this.#sweep(), 'ending waits that are late'), sweepMs).unref();
    return { waiters };
  }

  #leave(store: SegmentStore): void {
    this.#rooms.get(store)?.stop();
    this.#rooms.delete(store);
    if (this.#rooms.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    const now = performance.now();
    this.#endAll('late', ({ deadline }) => deadline <= now);
  }

  #endAll(end: WaitEnd, ends: (waiter: Waiter) => boolean): void {
    for (const { waiters } of [...this.#rooms.values()]) {
      for (const waiter of [...waiters]) if (ends(waiter)) waiter.end(end);
    }
  }
}
