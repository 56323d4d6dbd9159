import { copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrations, readVersion } from './migrations.ts';
import { isMislabelled, openModel } from './schema-model.ts';
import { isDamage } from './store-damage.ts';
import { mendHeader } from './store-file.ts';

/** The name of a damaged store's copy. */
export const copyName = (file: string) => `${file}.copy`;

/**
 * Copies a damaged store with its log, and restores in the copy what every store has: the constants of its header, its version and the
 * definitions of its tables. One changed letter there would otherwise hide all rows.
 *
 * @throws SQLite's or the file system's own error
 */
export function makeMendedCopy(file: string, copy: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  mendHeader(copy);
  try {
    mendTables(copy);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** Opens a store whose schema may be damaged: SQLite leaves out the parts that it can't read, and the schema can be written. */
export function openDespiteSchema(file: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const db = new DatabaseSync(file, { ...options, defensive: false });
  db.exec('PRAGMA writable_schema = ON');
  return db;
}

/** A table's definition is in the same row of each store's schema, unless another program has vacuumed it: then it is found by its name. */
function mendTables(file: string): void {
  using db = openDespiteSchema(file);
  if (isMislabelled(db)) db.exec(`PRAGMA user_version = ${migrations.length}`);
  using model = openModel(readVersion(db));
  const entries = model.prepare('SELECT rowid AS row, type, name, sql FROM sqlite_schema').all();
  const names = JSON.stringify(entries.map(({ name }) => name));
  const mend = "UPDATE sqlite_schema SET type = 'table', name = :name, tbl_name = :name, sql = :sql";
  const byRow = db.prepare(`${mend} WHERE rowid = :row AND (name = :name OR name NOT IN (SELECT value FROM json_each(:names))
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = :name))`);
  const byName = db.prepare(`${mend} WHERE name = :name AND sql IS NOT :sql`);
  const tables = entries.filter(({ type }) => type === 'table');
  for (const { row = null, name = null, sql = null } of tables) byRow.run({ row, name, sql, names });
  for (const { name = null, sql = null } of tables) byName.run({ name, sql });
}
