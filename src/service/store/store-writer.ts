import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/errors.ts';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { createSeldomWarning } from '../lib/log-seldom.ts';
import type { Logger } from '../ports.ts';
import type { Checkpoints } from './checkpoints.ts';
import { createDiskSync } from './disk-sync.ts';
import { findStoreFault } from './store-fault.ts';
import { inTransaction } from './transaction.ts';
import { type WaitingChanges, writeChanges } from './waiting-changes.ts';
import { createWaitingRequests, type Outcome } from './waiting-requests.ts';

/**
 * The one way to write the store. It never blocks: SQLite is told to wait neither for other programs nor for the disk; what it
 * refuses is tried again by timer. See `docs/decisions/0008-writes-that-wait.md`.
 */
export interface StoreWriter {
  /** From now on these are written whenever the store takes them, in the order they were added. */
  add(changes: WaitingChanges): void;
  /** Writes what waits; true when nothing waits any more. It never throws: what is refused is tried again soon. The disk has it a little later. */
  flush(): boolean;
  /**
   * Runs `work` in a transaction, after all that waits: at once, or as soon as the store takes it. What it throws is thrown.
   * Resolves once it is on the disk.
   *
   * @param written what follows from it: run as soon as it can be read, before the disk has it
   * @throws {ServiceError} UNAVAILABLE when the store has refused for about a second; also when the disk fails or does not
   *   answer for long, which is the one case in which `work` and `written` were run
   */
  write<T>(work: () => T, written?: (value: T) => void): Promise<T>;
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

/** How long a request that was written waits for the disk: refusing it any sooner would have a program write it twice. */
const confirmWaitMs = 5_000;

/**
 * Opens the writer of a store.
 *
 * @param options.sync puts all that was committed on the disk
 * @param options.check throws when the store's file is not the one that is open
 */
export function openStoreWriter({
  db,
  log,
  sync,
  checkpoints,
  check = () => {},
  probe = () => {},
}: {
  db: DatabaseSync;
  log: Logger;
  sync: () => Promise<void>;
  checkpoints?: Pick<Checkpoints, 'noteCommit' | 'isPausing' | 'onDone'>;
  check?: () => void;
  /** A write that changes something: finds out whether the store takes any where nothing waits. */
  probe?: () => void;
}): StoreWriter {
  const parts: WaitingChanges[] = [];
  const disk = createDiskSync(sync);
  const tellSeldom = createSeldomWarning(log, () => performance.now());
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

  const refuse = (fault: ServiceError): Outcome<never> => {
    noteRefusal(fault);
    return { done: false, fault };
  };
  /** Runs a transaction; what the store refuses is answered as a fault, anything else is thrown. */
  const attempt = <T>(transaction: () => T, { evenOnBadDisk = false } = {}): Outcome<T> => {
    const pausing = checkpoints?.isPausing === true ? beginsLogAnew() : undefined;
    const hindrance = pausing ?? (evenOnBadDisk ? undefined : disk.fault);
    if (hindrance !== undefined) return refuse(hindrance);
    try {
      check();
      const value = transaction();
      checkpoints?.noteCommit();
      return { done: true, value };
    } catch (error) {
      const fault = findStoreFault(error);
      if (fault === undefined) throw error;
      return refuse(fault);
    }
  };
  /** Has the disk take what was committed. */
  const syncCommitted = (): Promise<void> => {
    const synced = disk.request();
    synced.catch(noteRefusal);
    return synced;
  };
  /** Resolves once the disk has what was committed. */
  const confirm = async (waitMs: number) => {
    const tooLong = Promise.withResolvers<never>();
    const timer = setTimeout(() => tooLong.reject(disk.fault), waitMs);
    try {
      await Promise.race([syncCommitted(), tooLong.promise]);
    } catch (error) {
      throw unconfirmed(error);
    } finally {
      clearTimeout(timer);
    }
  };

  const writeWaiting = (): Outcome<void> => {
    const waiting = parts.filter((part) => part.count > 0);
    if (waiting.length === 0) return { done: true, value: undefined };
    const outcome = attempt(() => writeChanges(db, waiting, log));
    if (outcome.done) {
      for (const part of waiting) part.written();
      syncCommitted().catch(noted);
      noteSuccess();
    }
    return outcome;
  };
  const flush = (): boolean => {
    try {
      return writeWaiting().done;
    } catch (error) {
      tellSeldom({ err: error }, 'Changes could not be stored by a fault of ours: they wait in memory.');
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
    clearTimeout(retry);
    retry = undefined;
    // Only what is new shows whether a disk that failed works again.
    if (disk.hasFailed && attempt(() => inTransaction(db, probe), { evenOnBadDisk: true }).done) {
      syncCommitted().catch(noted);
    }
    if (requests.count > 0) requests.run();
    else if (flush() && trouble !== undefined && attempt(() => inTransaction(db, probe)).done) noteSuccess();
  };
  /** At once rather than by timer: requests may have come while the log was begun anew. */
  const offDone = checkpoints?.onDone(() => trouble !== undefined && runHarmlessly(tryAgain, 'writing what waits, again'));
  const timer = setInterval(() => runHarmlessly(flush, 'writing what waits'), flushIntervalMs).unref();

  const closeNow = async () => {
    clearInterval(timer);
    clearTimeout(retry);
    offDone?.();
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
    clearTimeout(retry);
    await confirm(closeWaitMs).catch((fault: unknown) =>
      log.error({ err: fault }, 'The disk has not confirmed the last changes of the store.'),
    );
    clearTimeout(retry);
  };

  return {
    add: (part) => parts.push(part),
    flush: () => closing === undefined && flush(),
    async write(work, written = () => {}) {
      if (closing !== undefined) throw closed();
      const value = await requests.add(work, written);
      await confirm(confirmWaitMs);
      return value;
    },
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

/** What the disk refuses has been noted where it was asked. */
const noted = () => {};

function beginsLogAnew(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The store cannot be written: its disk is slow.');
}

function unconfirmed(cause: unknown): ServiceError {
  const sentence = 'This was done, but the disk has not confirmed it: it is lost if this computer loses its power now.';
  return new ServiceError('UNAVAILABLE', sentence, { cause });
}

function formatLost(count: number): string {
  return count === 1 ? '1 change is lost.' : `${count} changes are lost.`;
}

function formatProblem({ message }: ServiceError, waiting: number): string {
  if (waiting === 0) return message;
  return `${message} ${waiting === 1 ? '1 change waits' : `${waiting} changes wait`} in memory.`;
}
