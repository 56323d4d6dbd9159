import type { ServiceError } from '../../shared/errors.ts';
import { runHarmlessly } from '../lib/faults.ts';

/** What came of one attempt to write. */
export type Outcome<T> = { done: true; value: T } | { done: false; fault: ServiceError };

/** Writes that somebody waits for, in the order they came. */
export interface WaitingRequests {
  readonly count: number;
  /** Runs `work` at once, or when those before it have been run, and then `written`. */
  add<T>(work: () => T, written: (value: T) => void): Promise<T>;
  /** Runs those that wait until one is refused, over several turns if they are many; rejects those that have waited for too long. */
  run(): void;
  refuseAll(fault: ServiceError): void;
}

/** A request is answered within a second: this, and a retry. */
const maxWaitMs = 900;
/** The event loop is not held up for longer. */
const turnMs = 20;

interface Waiting {
  giveUpAt: number;
  /** Why the store refused it; undefined when it has been run. */
  run(): ServiceError | undefined;
  refuse(fault: ServiceError): void;
}

/** Keeps the requests of a store; `attempt` runs one, and throws what it throws. */
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
  const refuseLate = (fault: ServiceError) => {
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
              runHarmlessly(() => written(outcome.value), 'what follows from a write');
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
