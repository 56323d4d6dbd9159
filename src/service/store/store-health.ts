import { sentenceOf } from '../lib/read-error.ts';
import type { SettingTable } from './setting-table.ts';
import type { StoreWriter } from './store-writer.ts';

const probeSetting = 'healthProbe';

/** Creates a write that changes the file each time: SQLite skips writes of an equal value, even on a full disk. */
export function createStoreProbe(settings: SettingTable): () => void {
  return () => settings.set(probeSetting, String((Number(settings.find(probeSetting)) || 0) + 1));
}

/** Asking needs no key and each answer is a write, so answers are reused for this long. */
const keptMs = 1_000;

/**
 * Creates a check that writes the store, and returns a sentence if that fails, else undefined. The store is written at most once a
 * second: concurrent callers share the answer, and success is reused for a second.
 *
 * @param options.file the store's path, which the sentence leaves out: asking needs no key, and the path may name the user
 */
export function createStoreHealth(
  writer: Pick<StoreWriter, 'write' | 'problem'>,
  probe: () => void,
  { file, nowMs = () => performance.now() }: { file: string; nowMs?: () => number },
) {
  let running: Promise<string | undefined> | undefined;
  let writableUntilMs = Number.NEGATIVE_INFINITY;
  const find = async () => {
    try {
      await writer.write(probe);
      writableUntilMs = nowMs() + keptMs;
      return undefined;
    } catch (error) {
      return (writer.problem ?? sentenceOf(error)).replaceAll(` ${file}`, '');
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
