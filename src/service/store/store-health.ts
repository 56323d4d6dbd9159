import type { StoreProblem, UnlocatedProblem } from '../../shared/model/store-fault.ts';
import type { SettingTable } from './setting-table.ts';
import { StoreError } from './store-fault.ts';
import type { StoreWriter } from './store-writer.ts';

const probeSetting = 'healthProbe';

/** Creates a write that changes the file each time: SQLite skips writes of an equal value, even on a full disk. */
export function createStoreProbe(settings: SettingTable): () => void {
  return () => settings.count(probeSetting);
}

/** Asking needs no key and each answer is a write, so answers are reused for this long. */
const keptMs = 1_000;

/**
 * Creates a check that writes the store. It returns why that fails, without the store's path, since asking needs no key and the path may
 * name the user; undefined if it works. The store is written at most once a second: concurrent callers share the answer, and success is
 * reused for a second.
 *
 * @throws errors that are not about the store, so that their text stays in the log
 */
export function createStoreHealth(
  writer: Pick<StoreWriter, 'write' | 'problem'>,
  probe: () => void,
  nowMs = () => performance.now(),
) {
  let running: Promise<UnlocatedProblem | undefined> | undefined;
  let writableUntilMs = Number.NEGATIVE_INFINITY;
  const find = async (): Promise<UnlocatedProblem | undefined> => {
    try {
      await writer.write(probe);
      writableUntilMs = nowMs() + keptMs;
      return undefined;
    } catch (error) {
      const { fault, waiting }: StoreProblem = writer.problem ?? readFault(error);
      return { fault, ...(waiting !== undefined && { waiting }) };
    } finally {
      running = undefined;
    }
  };
  return async (): Promise<UnlocatedProblem | undefined> => {
    if (nowMs() < writableUntilMs) return undefined;
    running ??= find();
    return running;
  };
}

function readFault(error: unknown): Pick<StoreError, 'fault'> {
  if (error instanceof StoreError) return error;
  throw error;
}
