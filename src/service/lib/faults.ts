import { channel } from 'node:diagnostics_channel';

/** A bug of ours, caught where it must not spread. */
export interface Fault {
  error: unknown;
  /** The work during which it happened, for the log: `a listener`, `the tick of a stream`. */
  during: string;
}

const faults = channel('tallylight:fault');

/**
 * Reports a bug without letting it affect the caller.
 *
 * A running service logs it. Without a listener it is thrown separately, so that tests fail.
 */
export function reportFault(error: unknown, during: string): void {
  if (faults.hasSubscribers) {
    faults.publish({ error, during } satisfies Fault);
  } else {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Calls the listener for every fault of this process; returns a function that removes it. */
export function onFault(listener: (fault: Fault) => void): () => void {
  const subscriber = (message: unknown) => listener(message as Fault);
  faults.subscribe(subscriber);
  return () => {
    faults.unsubscribe(subscriber);
  };
}

/** Runs `callback`. If it throws or its promise rejects, that is reported as a fault and the caller is unaffected. */
export function runHarmlessly(callback: () => unknown, during: string): void {
  try {
    const result = callback();
    if (result instanceof Promise) result.catch((error: unknown) => reportFault(error, during));
  } catch (error) {
    reportFault(error, during);
  }
}
