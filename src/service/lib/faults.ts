import { channel } from 'node:diagnostics_channel';

/** A bug of ours that showed itself where it must not spread. */
export interface Fault {
  error: unknown;
  /** What was being done, for the log: `a listener`, `the tick of a stream`. */
  during: string;
}

const faults = channel('tallylight:fault');

/**
 * Tells of a bug without letting it spread to whoever ran into it.
 *
 * The service that runs logs it. Where nobody listens it is thrown by itself, so that a test sees it.
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

/** Hears every fault of this process; returns the undo. */
export function onFault(listener: (fault: Fault) => void): () => void {
  const subscriber = (message: unknown) => listener(message as Fault);
  faults.subscribe(subscriber);
  return () => {
    faults.unsubscribe(subscriber);
  };
}

/** Runs `callback`; what it throws, or what its promise rejects with, is a fault and harms nobody else. */
export function runHarmlessly(callback: () => unknown, during: string): void {
  try {
    const result = callback();
    if (result instanceof Promise) result.catch((error: unknown) => reportFault(error, during));
  } catch (error) {
    reportFault(error, during);
  }
}
