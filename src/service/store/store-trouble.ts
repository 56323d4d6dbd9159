import { isDeepStrictEqual } from 'node:util';
import type { StoreProblem } from '../../shared/model/store-fault.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';
import type { StoreError } from './store-fault.ts';

/** Shorter refusals are not reported: another program was writing. */
const troubleAfterMs = 1_000;

/** The trouble that writing the store is in, from the first refused write to the next that succeeds; reported once it lasts. */
export interface StoreTrouble {
  /** Why a write was last refused; undefined while none is. */
  readonly error: StoreError | undefined;
  /** Why, and how many changes are waiting; undefined while there is nothing to report. */
  readonly problem: StoreProblem | undefined;
  /** Called when `problem` appears, changes or disappears. */
  onProblem(listener: () => void): () => void;
  /** Call at each refused write. */
  noteRefusal(error: StoreError): void;
  /** Call at each write that succeeded. */
  noteSuccess(): void;
}

/** @param countWaiting how many changes wait to be written */
export function createStoreTrouble(log: Logger, countWaiting: () => number): StoreTrouble {
  const problemChanged = createEventSource<void>();
  let trouble: { since: number; error: StoreError; told?: StoreProblem } | undefined;
  return {
    get error() {
      return trouble?.error;
    },
    get problem() {
      return trouble?.told;
    },
    onProblem: problemChanged.on,
    noteRefusal(error) {
      trouble ??= { since: performance.now(), error };
      trouble.error = error;
      if (performance.now() - trouble.since < troubleAfterMs) return;
      if (trouble.told === undefined) log.error({ err: error }, 'The store cannot be written. Changes are kept in memory.');
      const problem = countProblem(error, countWaiting());
      if (isDeepStrictEqual(trouble.told, problem)) return;
      trouble.told = problem;
      problemChanged.emit();
    },
    noteSuccess() {
      const past = trouble;
      trouble = undefined;
      if (past?.told === undefined) return;
      const seconds = Math.round((performance.now() - past.since) / 1000);
      log.info({ seconds }, 'The store can be written again. All waiting changes are on disk.');
      problemChanged.emit();
    },
  };
}

function countProblem({ fault, path }: StoreError, waiting: number): StoreProblem {
  return { fault, ...(path !== undefined && { path }), ...(waiting > 0 && { waiting }) };
}
