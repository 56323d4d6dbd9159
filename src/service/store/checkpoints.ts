import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { createSeldomWarning } from '../lib/log-seldom.ts';
import type { Logger } from '../ports.ts';
import type { CheckpointAnswer, CheckpointOrder, CheckpointWorkerData } from './checkpoint-worker.ts';

/** Runs checkpoints in a thread, so that this one never waits for the disk. */
export interface Checkpoints {
  /** Call after each commit: a checkpoint runs after many of them, and some time after the last one. */
  noteCommit(): void;
  /** While true, no transaction may begin: the thread is restarting the log. */
  readonly isPausing: boolean;
  /** Called when the thread has finished a checkpoint. */
  onDone(listener: () => void): () => void;
  /** Releases the store. Call it after all other users have closed, so that the thread does the last checkpoint. */
  close(): Promise<void>;
}

/** A commit takes a few pages of 4 KiB, so the log stays at a few MiB. */
const commitsPerCheckpoint = 200;
/** A copy of the store without its -wal is whole from then on. While on air, commits come more often, and only their number counts. */
const calmBeforeCheckpointMs = 5_000;
/**
 * What was deleted stays in the log for this long at most while it is never calm. A shortened log costs a third more writes until it has
 * its length again, so not every checkpoint erases.
 */
const eraseEveryMs = 3_600_000;
const closeWaitMs = 2_000;

interface CheckpointsOptions {
  everyCommits?: number;
  calmMs?: number;
  eraseAfterMs?: number;
  /** Starts the thread of `checkpoint-worker.ts`. */
  startThread?: (workerData: CheckpointWorkerData) => CheckpointThread;
}

/** What is used of the thread. */
export type CheckpointThread = Pick<Worker, 'on' | 'once' | 'postMessage' | 'unref'>;

/** Creates the checkpoints of a store. The thread starts with the first one. */
export function createCheckpoints(
  file: string,
  log: Logger,
  {
    everyCommits = commitsPerCheckpoint,
    calmMs = calmBeforeCheckpointMs,
    eraseAfterMs = eraseEveryMs,
    startThread = (workerData) => new Worker(findWorker(), { workerData }),
  }: CheckpointsOptions = {},
): Checkpoints {
  const pause = new SharedArrayBuffer(4);
  const word = new Int32Array(pause);
  const done = createEventSource<void>();
  const warn = createSeldomWarning(log, () => performance.now());
  let worker: CheckpointThread | undefined;
  let isBusy = false;
  let commits = 0;
  /** Whether the log may contain deleted data. */
  let hasRemains = false;
  let eraseDueAtMs = Number.NEGATIVE_INFINITY;
  /** When to try again if the log can't be erased: twice as late each time, since a try may make it longer. */
  let retryMs = calmMs;
  let calm: NodeJS.Timeout | undefined;
  let isClosing = false;

  const finish = (error: unknown) => {
    isBusy = false;
    Atomics.store(word, 0, 0);
    if (error !== undefined)
      warn({ err: error }, "The store's write-ahead log could not be checkpointed, and grows until that works.");
    done.emit();
  };
  const start = () => {
    const started = startThread({ file, pause });
    started.unref();
    started.on('message', ({ done: what, isPartial, error }: CheckpointAnswer) => {
      if (what === 'erase') {
        if (isPartial || error !== undefined) eraseLater();
        else {
          eraseDueAtMs = performance.now() + eraseAfterMs;
          retryMs = calmMs;
        }
      }
      finish(error);
    });
    started.on('error', (error) => {
      worker = undefined;
      eraseLater();
      finish(error);
    });
    return started;
  };
  const order = (what: CheckpointOrder) => {
    // It throws if the system has no thread left: the next checkpoint tries again.
    worker ??= start();
    isBusy = true;
    worker.postMessage(what);
  };

  const checkpoint = (what: 'checkpoint' | 'erase') => {
    commits = 0;
    runHarmlessly(() => {
      order(what);
      if (what === 'erase') hasRemains = false;
    }, 'starting a checkpoint of the store');
  };
  const awaitCalm = (forMs = calmMs) => {
    clearTimeout(calm);
    if (isClosing) return;
    calm = setTimeout(() => {
      if (isBusy) awaitCalm();
      else if (hasRemains) checkpoint('erase');
    }, forMs).unref();
  };
  const eraseLater = () => {
    hasRemains = true;
    awaitCalm(retryMs);
    retryMs = Math.min(retryMs * 2, eraseAfterMs);
  };

  return {
    noteCommit() {
      commits += 1;
      hasRemains = true;
      if (commits >= everyCommits && !isBusy) checkpoint(performance.now() >= eraseDueAtMs ? 'erase' : 'checkpoint');
      awaitCalm();
    },
    get isPausing() {
      return Atomics.load(word, 0) === 1;
    },
    onDone: done.on,
    async close() {
      isClosing = true;
      clearTimeout(calm);
      const ending = worker;
      if (ending === undefined) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      order('close');
      const giveUp = new AbortController();
      await Promise.race([ended, sleep(closeWaitMs, undefined, { signal: giveUp.signal })]);
      giveUp.abort();
    },
  };
}

/** Finds the worker: beside this module in the sources, beside the programs in the build. */
function findWorker(): URL {
  const places = ['./checkpoint-worker.ts', './checkpoint-worker.js', '../checkpoint-worker.js'];
  const urls = places.map((place) => new URL(place, import.meta.url));
  const found = urls.find((url) => existsSync(fileURLToPath(url)));
  if (found === undefined) throw new Error('checkpoint-worker.js is missing.');
  return found;
}
