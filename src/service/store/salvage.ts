import type { DatabaseSync } from 'node:sqlite';
import { readSqliteCode } from '../lib/sqlite-code.ts';
import { mendRow, type Row } from './mend-row.ts';
import { copyName, makeMendedCopy, openDespiteSchema } from './mended-copy.ts';
import { createSchema, refuseNewer } from './migrations.ts';
import { isConstraint, isDamage } from './store-damage.ts';
import { removeStore } from './store-file.ts';
import { inTransaction } from './transaction.ts';

/**
 * Copies each row of a damaged store that can be read into an empty one, which gets the schema version of the damaged one.
 *
 * A damaged page costs the rows in it, and all rows that SQLite cannot find without it. Rows whose stream is lost, and rows that
 * {@link mendRow} leaves out, are lost, too.
 *
 * The damaged one stays as it is: its copy is read, with what every store has restored ({@link makeMendedCopy}).
 *
 * @returns the number of rows
 * @throws {ServiceError} UNAVAILABLE when a newer Tallylight has written it
 */
export function salvage(file: string, to: DatabaseSync): number {
  const copy = copyName(file);
  try {
    makeMendedCopy(file, copy);
    using from = openDespiteSchema(copy, { readOnly: true });
    const { rows } = readUntilDamage(from, 'PRAGMA user_version');
    const version = Number(rows[0]?.user_version ?? 0);
    refuseNewer(version, file);
    return inTransaction(to, () => {
      createSchema(to, version);
      return listTables(to).reduce((kept, table) => kept + copyRows(from, to, table), 0);
    });
  } finally {
    removeStore(copy);
  }
}

/** The tables; tables that others refer to come first. */
function listTables(db: DatabaseSync): string[] {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid");
  return tables.all().map(({ name }) => String(name));
}

function copyRows(from: DatabaseSync, to: DatabaseSync, table: string): number {
  const columns = to.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table);
  const names = columns.map(({ name }) => String(name));
  const key = columns.find(({ pk }) => pk === 1)?.name;
  const insert = to.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
  );
  const add = (row: Row) => {
    const mended = mendRow(table, row);
    if (mended === undefined) return false;
    try {
      insert.run(mended);
      return true;
    } catch (error) {
      if (!isConstraint(error)) throw error;
      return false;
    }
  };
  return readRows(from, `SELECT ${names.join(', ')} FROM ${table} ORDER BY ${key}`).filter(add).length;
}

/** The rows before the first damage and those after the last. */
function readRows(db: DatabaseSync, ascending: string): Row[] {
  const first = readUntilDamage(db, ascending);
  return first.isWhole ? first.rows : [...first.rows, ...readUntilDamage(db, `${ascending} DESC`).rows.reverse()];
}

function readUntilDamage(db: DatabaseSync, query: string): { rows: Row[]; isWhole: boolean } {
  const rows: Row[] = [];
  try {
    const statement = db.prepare(query);
    // A damaged number may be too large for JavaScript's.
    statement.setReadBigInts(true);
    for (const row of statement.iterate()) rows.push(row as Row);
    return { rows, isWhole: true };
  } catch (error) {
    if (!isDamage(error) && !isUnknown(error)) throw error;
    return { rows, isWhole: false };
  }
}

/** SQLITE_ERROR: a table or column isn't there, since its entry in the schema is damaged. */
const isUnknown = (error: unknown) => readSqliteCode(error) === 1;
