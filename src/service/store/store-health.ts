import type { SettingTable } from './setting-table.ts';
import type { StoreWriter } from './store-writer.ts';

const probeSetting = 'healthProbe';

/** A write that changes the file each time: SQLite skips one that stores an equal value, even on a full disk. */
export function createStoreProbe(settings: SettingTable): () => void {
  return () => settings.set(probeSetting, String((Number(settings.find(probeSetting)) || 0) + 1));
}

/**
 * Finds out, by writing, why the store cannot be written, in a sentence; undefined while it can. However many ask at a time,
 * the store is written once.
 */
export function createStoreHealth(writer: Pick<StoreWriter, 'write' | 'problem'>, probe: () => void) {
  let running: Promise<string | undefined> | undefined;
  const find = async () => {
    try {
      await writer.write(probe);
      return undefined;
    } catch (error) {
      return writer.problem ?? (error as Error).message;
    } finally {
      running = undefined;
    }
  };
  return (): Promise<string | undefined> => (running ??= find());
}
