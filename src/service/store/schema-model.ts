import { DatabaseSync } from 'node:sqlite';
import { createSchema, migrations, readVersion } from './migrations.ts';
import { DamagedStore } from './store-damage.ts';

/** An empty store in memory with the schema of a version. */
export function openModel(version: number): DatabaseSync {
  const model = new DatabaseSync(':memory:');
  createSchema(model, version);
  return model;
}

/**
 * The columns and references of all tables. Their SQL may differ: each SQLite rewrites it in its own way when a migration changes a
 * table.
 */
const described = ['table_xinfo', 'foreign_key_list'].map(
  (pragma) => `SELECT tables.name AS of, about.* FROM pragma_table_list AS tables, pragma_${pragma}(tables.name) AS about
    WHERE tables.schema = 'main' AND tables.type = 'table'`,
);

const describe = (db: DatabaseSync) =>
  described.flatMap((query) =>
    db
      .prepare(query)
      .all()
      .map((row) => JSON.stringify(row)),
  );

/** A column or reference of a version's schema that a store doesn't have. */
function findMissing(db: DatabaseSync, version: number): string | undefined {
  using model = openModel(version);
  const found = new Set(describe(db));
  return describe(model).find((row) => !found.has(row));
}

/** Whether a store has the newest schema, but says that it is older: its version is damaged, or lost, since SQLite's own dump has none. */
export function isMislabelled(db: DatabaseSync): boolean {
  const version = readVersion(db);
  if (version >= migrations.length) return false;
  using model = openModel(version);
  return findMissing(model, migrations.length) !== undefined && findMissing(db, migrations.length) === undefined;
}

/**
 * Checks that the schema is the one that its version needs: a letter that has changed in the schema's text is no damage to SQLite, but
 * names another column or table.
 *
 * @throws {DamagedStore}
 */
export function refuseOtherSchema(db: DatabaseSync): void {
  // Another process may migrate the store meanwhile: the version and the schema are read at once, without locking it.
  db.exec('BEGIN');
  const missing = isMislabelled(db) ? 'its version' : findMissing(db, readVersion(db));
  db.exec('ROLLBACK');
  if (missing !== undefined) throw new DamagedStore(`the schema lacks ${missing}`);
}
