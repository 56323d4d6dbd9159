import type { DatabaseSync } from 'node:sqlite';
import { isNotDeleted } from './stream-table.ts';

/** A stored hold after *Stop*. Times are Unix milliseconds. */
export interface SavedHold {
  since: number;
  lastTriedAt: number | null;
  longestPauseMs: number;
  /** The software of the publisher that tried last. */
  software: string | null;
  /** Whether a publisher that is not ours was on air or expected back. */
  isForeign: boolean;
}

type HoldRow = Omit<SavedHold, 'isForeign'> & { streamId: string; isForeign: number };

/** The queries on holds: streams that refuse their key after *Stop*. */
export interface HoldTable {
  list(): (SavedHold & { streamId: string })[];
  set(streamId: string, hold: SavedHold): void;
  delete(streamId: string): void;
}

/** Prepares the queries on holds. */
export function openHoldTable(db: DatabaseSync): HoldTable {
  const list = db.prepare(
    `SELECT stream_id AS streamId, since, last_tried_at AS lastTriedAt, longest_pause_ms AS longestPauseMs, software,
       is_foreign AS isForeign
     FROM hold`,
  );
  const set = db.prepare(
    `INSERT OR REPLACE INTO hold (stream_id, since, last_tried_at, longest_pause_ms, software, is_foreign)
     SELECT :streamId, :since, :lastTriedAt, :longestPauseMs, :software, :isForeign WHERE ${isNotDeleted}`,
  );
  const remove = db.prepare('DELETE FROM hold WHERE stream_id = ?');
  return {
    list: () => (list.all() as unknown as HoldRow[]).map((row) => ({ ...row, isForeign: row.isForeign === 1 })),
    set(streamId, hold) {
      set.run({ streamId, ...hold, isForeign: Number(hold.isForeign) });
    },
    delete(streamId) {
      remove.run(streamId);
    },
  };
}
