import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/errors.ts';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Logger } from '../ports.ts';
import { findStoreFault } from './store-fault.ts';
import { inTransaction } from './transaction.ts';
import { type WaitingChanges, writeChanges } from './waiting-changes.ts';
import { createWaitingRequests, type Outcome } from './waiting-requests.ts';

/**
 * The one way to write the store. It never blocks: SQLite is told not to wait for other programs, and what it refuses is
 * tried again by timer. See `docs/decisions/0008-writes-that-wait.md`.
 */
export interface StoreWriter {
  /** From now on these are written whenever the store takes them, in the order they were added. */
  add(changes: WaitingChanges): void;
  /** Writes what waits; true when nothing waits any more. It never throws: what is refused is tried again soon. */
  flush(): boolean;
  /**
   * Runs `work` in a transaction, after all that waits: at once, or as soon as the store takes it. What it throws is thrown.
   *
   * @throws {ServiceError} UNAVAILABLE when the store has refused for about a second
   */
  write<T>(work: () => T): Promise<T>;
  /** Why the store has not been writable for a second or more, and what waits, in a sentence or two. */
  readonly problem: string | undefined;
  /** Called when `problem` comes, changes or goes. */
  onProblem(listener: () => void): () => void;
  /** Tries a last time for a second; what is lost then is logged. May be called twice. */
  close(): Promise<void>;
}

/** How often waiting changes are written: below 5 s, the most that a crash may lose. */
const flushIntervalMs = 2_000;
/** The pause before what the store refused is tried again, while somebody waits for it or the trouble is young. */
const retryMs = 50;
const calmRetryMs = 250;
/** Shorter refusals are no trouble to tell of: another program wrote something. */
const troubleAfterMs = 1_000;
const closeWaitMs = 1_000;

/** Opens the writer of a store. @param check throws when the store's file is not the one that is open */
export function openStoreWriter({
  db,
  log,
  check = () => {},
  probe = () => {},
}: {
  db: DatabaseSync;
  log: Logger;
  check?: () => void;
  /** A write that changes something: finds out whether the store takes any where nothing waits. */
  probe?: () => void;
}): StoreWriter {
  const parts: WaitingChanges[] = [];
  const problemChanged = createEventSource<void>();
  let trouble: { since: number; fault: ServiceError; told?: string } | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  const count = () => parts.reduce((sum, part) => sum + part.count, 0);

  const noteRefusal = (fault: ServiceError) => {
    trouble ??= { since: performance.now(), fault };
    trouble.fault = fault;
    if (performance.now() - trouble.since >= troubleAfterMs) {
      if (trouble.told === undefined) log.error({ err: fault }, 'The store cannot be written: changes wait in memory.');
      const problem = formatProblem(fault, count());
      if (trouble.told !== problem) {
        trouble.told = problem;
        problemChanged.emit();
      }
    }
    retry ??= setTimeout(
      () => runHarmlessly(tryAgain, 'writing what waits, again'),
      trouble.told === undefined || requests.count > 0 ? retryMs : calmRetryMs,
    );
  };
  const noteSuccess = () => {
    const past = trouble;
    trouble = undefined;
    if (past?.told === undefined) return;
    const seconds = Math.round((performance.now() - past.since) / 1000);
    log.info({ seconds }, 'The store can be written again, and what waited is on disk.');
    problemChanged.emit();
  };

  /** Runs a transaction; what the store refuses is answered as a fault, anything else is thrown. */
  const attempt = <T>(transaction: () => T): Outcome<T> => {
    try {
      check();
      return { done: true, value: transaction() };
    } catch (error) {
      const fault = findStoreFault(error);
      if (fault === undefined) throw error;
      noteRefusal(fault);
      return { done: false, fault };
    }
  };

  const writeWaiting = (): Outcome<void> => {
    const waiting = parts.filter((part) => part.count > 0);
    if (waiting.length === 0) return { done: true, value: undefined };
    const outcome = attempt(() => writeChanges(db, waiting, log));
    if (outcome.done) {
      for (const part of waiting) part.written();
      noteSuccess();
    }
    return outcome;
  };
  const flush = (): boolean => {
    try {
      return writeWaiting().done;
    } catch (error) {
      log.error({ err: error }, 'Changes could not be stored by a fault of ours: they wait in memory.');
      return false;
    }
  };
  const requests = createWaitingRequests((work) => {
    const before = writeWaiting();
    if (!before.done) return before;
    const outcome = attempt(() => inTransaction(db, work));
    if (outcome.done) noteSuccess();
    return outcome;
  });

  const tryAgain = () => {
    retry = undefined;
    if (requests.count > 0) requests.run();
    else if (flush() && trouble !== undefined && attempt(() => inTransaction(db, probe)).done) noteSuccess();
  };
  const timer = setInterval(() => runHarmlessly(flush, 'writing what waits'), flushIntervalMs).unref();

  const closeNow = async () => {
    clearInterval(timer);
    clearTimeout(retry);
    requests.refuseAll(closed());
    const giveUpAt = performance.now() + closeWaitMs;
    while (!flush()) {
      clearTimeout(retry);
      if (performance.now() >= giveUpAt) {
        const lost = parts.filter((part) => part.count > 0).map((part) => part.describe());
        log.error({ lost }, `${formatLost(count())} ${trouble?.fault.message ?? ''}`);
        return;
      }
      await sleep(retryMs);
    }
  };

  return {
    add: (part) => parts.push(part),
    flush: () => closing === undefined && flush(),
    write: (work) => (closing === undefined ? requests.add(work) : Promise.reject(closed())),
    get problem() {
      return trouble?.told;
    },
    onProblem: problemChanged.on,
    close: () => (closing ??= closeNow()),
  };
}

function closed(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Tallylight is closing.');
}

function formatLost(count: number): string {
  return count === 1 ? '1 change is lost.' : `${count} changes are lost.`;
}

function formatProblem({ message }: ServiceError, waiting: number): string {
  if (waiting === 0) return message;
  return `${message} ${waiting === 1 ? '1 change waits' : `${waiting} changes wait`} in memory.`;
}
