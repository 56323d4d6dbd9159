import type { HoldTable, SavedHold } from '../store/hold-table.ts';
import { openKeptValues } from '../store/kept-values.ts';
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
  const holds = openKeptValues<SavedHold>({
    name: 'hold',
    stored: table.list().map(({ streamId, ...hold }) => [streamId, hold] as const),
    write: (streamId, hold) => (hold === undefined ? table.delete(streamId) : table.set(streamId, hold)),
    writer,
  });
  return {
    find: holds.find,
    save(streamId, hold) {
      holds.save(streamId, hold);
      // Written at once: its begin or end must survive a crash.
      writer.flush();
    },
    streamIds: holds.keys,
  };
}
