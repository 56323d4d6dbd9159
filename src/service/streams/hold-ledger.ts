import type { HoldTable, SavedHold } from '../store/hold-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';

/** Which streams refuse their key after *Stop*: readable at once, and written as soon as the store takes it. */
export interface HoldLedger {
  find(streamId: string): SavedHold | undefined;
  /** Undefined: the stream refuses its key no more. */
  save(streamId: string, hold: SavedHold | undefined): void;
  /** The streams that refuse their keys. */
  streamIds(): string[];
}

/** Opens what an earlier run has left. */
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
      // That it began or ended must not be lost with a crash right after it.
      writer.flush();
    },
    streamIds: () => [...holds.keys()],
  };
}
