import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Sessions in a closed service's store that still look running, one sentence each. */
export function findOpenRows(dataFolder: string): string[] {
  using db = new DatabaseSync(join(dataFolder, 'tallylight.db'), { readOnly: true });
  const active = db.prepare('SELECT name, parent_id, last_seen FROM stream WHERE is_active = 1').all();
  const open = db
    .prepare('SELECT id, created_at FROM stream WHERE parent_id IS NOT NULL AND (ended_at IS NULL OR end_reason IS NULL)')
    .all();
  return [
    ...active.map((row) => `active: ${JSON.stringify(row)}`),
    ...open.map((row) => `a session with no end: ${JSON.stringify(row)}`),
  ];
}
