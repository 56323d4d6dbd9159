import type { SettingTable } from './setting-table.ts';
import type { StoreWriter } from './store-writer.ts';

const probeSetting = 'healthProbe';

/** A write that changes the file each time: SQLite skips one that stores an equal value, even on a full disk. */
export function createStoreProbe(settings: SettingTable): () => void {
  return () => settings.set(probeSetting, String((Number(settings.find(probeSetting)) || 0) + 1));
}

/** Nobody needs a key to ask, and each answer is a write. */
const keptMs = 1_000;

/**
 * Finds out, by writing, why the store cannot be written, in a sentence; undefined while it can. However many ask, it is written
 * once a second: those who come while it is tried share the answer, and that it could be written holds for a second.
 */
export function createStoreHealth(
  writer: Pick<StoreWriter, 'write' | 'problem'>,
  probe: () => void,
  nowMs: () => number = () => performance.now(),
) {
  let running: Promise<string | undefined> | undefined;
  let writableUntilMs = Number.NEGATIVE_INFINITY;
  const find = async () => {
    try {
      await writer.write(probe);
      writableUntilMs = nowMs() + keptMs;
      return undefined;
    } catch (error) {
      return writer.problem ?? (error as Error).message;
    } finally {
      running = undefined;
    }
  };
  return async (): Promise<string | undefined> => {
    if (nowMs() < writableUntilMs) return undefined;
    running ??= find();
    return running;
  };
}
