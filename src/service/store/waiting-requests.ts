import { runHarmlessly } from '../lib/faults.ts';
import type { StoreError } from './store-fault.ts';

/** The result of one attempt to write. */
export type Outcome<T> = { done: true; value: T } | { done: false; fault: StoreError };

/** Writes that a caller waits for, in order. */
export interface WaitingRequests {
  readonly count: number;
  /** Runs `work`, then `written`, at once or after those before it. */
  add<T>(work: () => T, written: (value: T) => void): Promise<T>;
  /** Runs waiting requests until one is refused, over several turns if there are many. Rejects those that have waited too long. */
  run(): void;
  refuseAll(fault: StoreError): void;
}

/** Requests are answered within a second: this and one retry. */
const maxWaitMs = 900;
/** Most time to spend in one turn of the event loop. */
const turnMs = 20;

interface Waiting {
  giveUpAt: number;
  /** Returns why the store refused it; undefined once it has been run. */
  run(): StoreError | undefined;
  refuse(fault: StoreError): void;
}

/** Creates the waiting requests of a store. `attempt` runs one, and rethrows what it throws. */
export function createWaitingRequests(attempt: <T>(work: () => T) => Outcome<T>): WaitingRequests {
  const waiting: Waiting[] = [];
  let isRunning = false;

  const run = () => {
    isRunning = false;
    const turnEndsAt = performance.now() + turnMs;
    while (waiting.length > 0) {
      if (performance.now() > turnEndsAt) {
        isRunning = true;
        setImmediate(run);
        return;
      }
      const fault = waiting[0]?.run();
      if (fault !== undefined) {
        refuseLate(fault);
        return;
      }
      waiting.shift();
    }
  };
  const refuseLate = (fault: StoreError) => {
    const now = performance.now();
    while (waiting[0] !== undefined && waiting[0].giveUpAt <= now) waiting.shift()?.refuse(fault);
  };

  return {
    get count() {
      return waiting.length;
    },
    add<T>(work: () => T, written: (value: T) => void): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const request: Waiting = {
          giveUpAt: performance.now() + maxWaitMs,
          refuse: reject,
          run() {
            try {
              const outcome = attempt(work);
              if (!outcome.done) return outcome.fault;
              runHarmlessly(() => written(outcome.value), 'following up on a write');
              resolve(outcome.value);
            } catch (error) {
              reject(error);
            }
            return undefined;
          },
        };
        if (waiting.length > 0 || request.run() !== undefined) waiting.push(request);
      });
    },
    run: () => {
      if (!isRunning) run();
    },
    refuseAll(fault) {
      for (const each of waiting.splice(0)) each.refuse(fault);
    },
  };
}
