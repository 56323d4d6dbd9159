import type { DatabaseSync } from 'node:sqlite';
import { isNotDeleted } from './stream-table.ts';

/** The choices that a stream last went live with, each as JSON. */
export interface ChoiceRow {
  source: string;
  encode: string;
}

/** The queries on the choices that streams last went live with; columns are named as in the contract. */
export interface ChoiceTable {
  list(): (ChoiceRow & { streamId: string })[];
  set(streamId: string, row: ChoiceRow): void;
  delete(streamId: string): void;
}

/** Prepares the queries on choices. */
export function openChoiceTable(db: DatabaseSync): ChoiceTable {
  const list = db.prepare('SELECT stream_id AS streamId, source, encode FROM one_click_choice');
  const set = db.prepare(
    // Streams of remote services aren't among ours.
    `INSERT OR REPLACE INTO one_click_choice (stream_id, source, encode) SELECT :streamId, :source, :encode WHERE ${isNotDeleted}`,
  );
  const remove = db.prepare('DELETE FROM one_click_choice WHERE stream_id = ?');
  return {
    list: () => list.all() as unknown as (ChoiceRow & { streamId: string })[],
    set(streamId, { source, encode }) {
      set.run({ streamId, source, encode });
    },
    delete(streamId) {
      remove.run(streamId);
    },
  };
}
