import type { ServiceError } from '../../shared/errors.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';

/** Shorter refusals are not reported: another program was writing. */
const troubleAfterMs = 1_000;

/** The trouble that writing the store is in, from the first refused write to the next that succeeds; reported once it lasts. */
export interface StoreTrouble {
  /** Why a write was last refused; undefined while none is. */
  readonly fault: ServiceError | undefined;
  /** The fault, and how much is waiting, in a sentence or two; undefined while there is nothing to report. */
  readonly problem: string | undefined;
  /** Called when `problem` appears, changes or disappears. */
  onProblem(listener: () => void): () => void;
  /** Call at each refused write. */
  noteRefusal(fault: ServiceError): void;
  /** Call at each write that succeeded. */
  noteSuccess(): void;
}

/** @param countWaiting how many changes wait to be written */
export function createStoreTrouble(log: Logger, countWaiting: () => number): StoreTrouble {
  const problemChanged = createEventSource<void>();
  let trouble: { since: number; fault: ServiceError; told?: string } | undefined;
  return {
    get fault() {
      return trouble?.fault;
    },
    get problem() {
      return trouble?.told;
    },
    onProblem: problemChanged.on,
    noteRefusal(fault) {
      trouble ??= { since: performance.now(), fault };
      trouble.fault = fault;
      if (performance.now() - trouble.since < troubleAfterMs) return;
      if (trouble.told === undefined) log.error({ err: fault }, 'The store cannot be written. Changes are kept in memory.');
      const problem = formatProblem(fault, countWaiting());
      if (trouble.told === problem) return;
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

function formatProblem({ message }: ServiceError, waiting: number): string {
  if (waiting === 0) return message;
  return `${message} ${waiting === 1 ? '1 change waits' : `${waiting} changes wait`} in memory.`;
}
