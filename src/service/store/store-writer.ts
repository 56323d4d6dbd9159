import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreProblem } from '../../shared/model/store-fault.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { createSeldomWarning } from '../lib/log-seldom.ts';
import type { Logger } from '../ports.ts';
import type { Checkpoints } from './checkpoints.ts';
import { createDiskSync } from './disk-sync.ts';
import { findStoreFault, StoreError } from './store-fault.ts';
import { createStoreTrouble } from './store-trouble.ts';
import { inTransaction } from './transaction.ts';
import { type WaitingChanges, writeChanges } from './waiting-changes.ts';
import { createWaitingRequests, type Outcome } from './waiting-requests.ts';

/**
 * The only way to write the store. Never blocks: SQLite waits neither for other programs nor for the disk, and refused writes are
 * retried by timer. See `docs/decisions/0008-writes-that-wait.md`.
 */
export interface StoreWriter {
  /** Adds changes to be written whenever the store accepts them, in order of adding. */
  add(changes: WaitingChanges): void;
  /** Writes the waiting changes; true if none is left. Never throws: refused writes are retried soon. They reach the disk a little later. */
  flush(): boolean;
  /**
   * Runs `work` in a transaction, after all waiting changes, as soon as the store accepts it. Rethrows what it throws. Resolves once
   * the result is on disk.
   *
   * @param written runs as soon as the result can be read, before it is on disk
   * @throws {StoreError} when the store has refused for about a second, or when the disk fails or does not answer for long. Only in
   *   the latter case `work` and `written` did run
   */
  write<T>(work: () => T, written?: (value: T) => void): Promise<T>;
  /** Why the store could not be written for the last second or more, and how many changes are waiting. */
  readonly problem: StoreProblem | undefined;
  /** Called when `problem` appears, changes or disappears. */
  onProblem(listener: () => void): () => void;
  /** Retries for a second, and then logs the changes that are lost. May be called twice. */
  close(): Promise<void>;
}

/** How often waiting changes are written: less than 5 s, the most that a crash may lose. */
const flushIntervalMs = 2_000;
/** The pause before a refused write is retried: the shorter one while a request waits or the trouble is new. */
const retryMs = 50;
const calmRetryMs = 250;
const closeWaitMs = 1_000;

/** How long a written request waits for the disk. If it failed any sooner, a program would retry and write it twice. */
const confirmWaitMs = 5_000;

/**
 * Opens the writer of a store.
 *
 * @param options.sync syncs all commits to disk
 * @param options.check throws when the store's file is no longer the open one
 */
export function openStoreWriter({
  db,
  log,
  sync,
  checkpoints,
  check,
  probe,
}: {
  db: DatabaseSync;
  log: Logger;
  sync: () => Promise<void>;
  checkpoints: Pick<Checkpoints, 'noteCommit' | 'isPausing' | 'onDone'>;
  check: () => void;
  /** A write that changes something, to test the store while nothing waits. */
  probe: () => void;
}): StoreWriter {
  const parts: WaitingChanges[] = [];
  const disk = createDiskSync(sync);
  const tellSeldom = createSeldomWarning(log, () => performance.now());
  let retry: NodeJS.Timeout | undefined;
  let isClosing = false;
  let closing: Promise<void> | undefined;

  const count = () => parts.reduce((sum, part) => sum + part.count, 0);
  const trouble = createStoreTrouble(log, count);

  const noteRefusal = (fault: StoreError) => {
    trouble.noteRefusal(fault);
    // Closing tries again by itself, and the disk may answer after that.
    if (isClosing) return;
    retry ??= setTimeout(
      () => runHarmlessly(tryAgain, 'retrying a write'),
      trouble.problem === undefined || requests.count > 0 ? retryMs : calmRetryMs,
    );
  };

  const refuse = (fault: StoreError): Outcome<never> => {
    noteRefusal(fault);
    return { done: false, fault };
  };
  /** Runs a transaction. If the store refuses, returns the fault; other errors are thrown. */
  const attempt = <T>(transaction: () => T, { evenOnBadDisk = false } = {}): Outcome<T> => {
    const pausing = checkpoints.isPausing ? logRestarting() : undefined;
    const hindrance = pausing ?? (evenOnBadDisk ? undefined : disk.fault);
    if (hindrance !== undefined) return refuse(hindrance);
    try {
      check();
      const value = transaction();
      checkpoints.noteCommit();
      return { done: true, value };
    } catch (error) {
      const fault = findStoreFault(error);
      if (fault === undefined) throw error;
      return refuse(fault);
    }
  };
  /** Syncs all commits to disk. */
  const syncCommitted = (): Promise<void> => {
    const synced = disk.request();
    synced.catch(noteRefusal);
    return synced;
  };
  /** Resolves once all commits are on disk. */
  const confirm = async (waitMs: number) => {
    const tooLong = Promise.withResolvers<never>();
    const timer = setTimeout(() => tooLong.reject(disk.fault), waitMs);
    try {
      await Promise.race([syncCommitted(), tooLong.promise]);
    } catch (error) {
      throw new StoreError({ code: 'unconfirmed' }, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };

  const writeWaiting = (options?: { evenOnBadDisk: boolean }): Outcome<void> => {
    const waiting = parts.filter((part) => part.count > 0);
    if (waiting.length === 0) return { done: true, value: undefined };
    const outcome = attempt(() => writeChanges(db, waiting, log), options);
    if (outcome.done) {
      for (const part of waiting) part.written();
      syncCommitted().catch(noted);
      trouble.noteSuccess();
    }
    return outcome;
  };
  const flush = (options?: { evenOnBadDisk: boolean }): boolean => {
    try {
      return writeWaiting(options).done;
    } catch (error) {
      tellSeldom({ err: error }, 'Changes could not be stored because of an internal error. They are kept in memory.');
      return false;
    }
  };
  const requests = createWaitingRequests((work) => {
    const before = writeWaiting();
    if (!before.done) return before;
    const outcome = attempt(() => inTransaction(db, work));
    if (outcome.done) trouble.noteSuccess();
    return outcome;
  });

  const tryAgain = () => {
    clearTimeout(retry);
    retry = undefined;
    // Only a new write shows whether a failed disk works again.
    if (disk.hasFailed && attempt(() => inTransaction(db, probe), { evenOnBadDisk: true }).done) {
      syncCommitted().catch(noted);
    }
    if (requests.count > 0) requests.run();
    else if (flush() && trouble.error !== undefined && attempt(() => inTransaction(db, probe)).done) trouble.noteSuccess();
  };
  /** Retries at once, not by timer: requests may have arrived while the log was restarted. */
  const offDone = checkpoints.onDone(() => trouble.error !== undefined && runHarmlessly(tryAgain, 'retrying a write'));
  const timer = setInterval(() => runHarmlessly(() => flush(), 'writing waiting changes'), flushIntervalMs).unref();

  const closeNow = async () => {
    isClosing = true;
    clearInterval(timer);
    clearTimeout(retry);
    offDone();
    requests.refuseAll(closed());
    const giveUpAt = performance.now() + closeWaitMs;
    // This is the last chance: data that a disk takes without confirming survives, unless the power fails.
    while (!flush({ evenOnBadDisk: disk.hasFailed })) {
      if (performance.now() >= giveUpAt) {
        const lost = parts.filter((part) => part.count > 0).map((part) => part.describe());
        log.error({ lost, fault: trouble.error?.fault }, formatLost(count()));
        return;
      }
      await sleep(retryMs);
    }
    await confirm(closeWaitMs).catch((fault: unknown) =>
      log.error({ err: fault }, 'The disk did not confirm the last changes to the store.'),
    );
  };

  return {
    add: (part) => parts.push(part),
    flush: () => !isClosing && flush(),
    async write(work, written = () => {}) {
      if (isClosing) throw closed();
      const value = await requests.add(work, written);
      await confirm(confirmWaitMs);
      return value;
    },
    get problem() {
      return trouble.problem;
    },
    onProblem: trouble.onProblem,
    close: () => (closing ??= closeNow()),
  };
}

function closed(): StoreError {
  return new StoreError({ code: 'closing' });
}

/** The fault has already been recorded where the sync was requested. */
const noted = () => {};

/** The fault of a write that must wait because a checkpoint is restarting the log. */
function logRestarting(): StoreError {
  return new StoreError({ code: 'disk-slow' });
}

function formatLost(count: number): string {
  return count === 1 ? '1 change is lost.' : `${count} changes are lost.`;
}
