import type { HoldTable, SavedHold } from '../store/hold-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';

/** Which streams refuse their key after *Stop*. Readable at once, written as soon as the store accepts it. */
export interface HoldLedger {
  find(streamId: string): SavedHold | undefined;
  /** Saves a hold; undefined ends it. */
  save(streamId: string, hold: SavedHold | undefined): void;
  /** The streams with a hold. */
  streamIds(): string[];
}

/** Opens the ledger with the stored holds. */
export function openHoldLedger(table: HoldTable, writer: Pick<StoreWriter, 'add' | 'flush'>): HoldLedger {
  const holds = new Map<string, SavedHold>(table.list().map(({ streamId, ...hold }) => [streamId, hold]));
  const unwritten = new Set<string>();
  writer.add({
    get count() {
      return unwritten.size;
    },
    write(row) {
      for (const streamId of unwritten) {
        const hold = holds.get(streamId);
        row({ hold: { streamId, ...hold } }, () => (hold === undefined ? table.delete(streamId) : table.set(streamId, hold)));
      }
    },
    written: () => unwritten.clear(),
    describe: () => ({ holds: [...unwritten].map((streamId) => [streamId, holds.get(streamId)]) }),
  });
  return {
    find: (streamId) => holds.get(streamId),
    save(streamId, hold) {
      if (hold === undefined) holds.delete(streamId);
      else holds.set(streamId, hold);
      unwritten.add(streamId);
      // Written at once: its begin or end must survive a crash.
      writer.flush();
    },
    streamIds: () => [...holds.keys()],
  };
}
