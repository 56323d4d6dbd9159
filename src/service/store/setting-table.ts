import type { DatabaseSync } from 'node:sqlite';

/** Named values of the data folder: the user's settings as JSON, and the service's own records. */
export interface SettingTable {
  find(name: string): string | undefined;
  set(name: string, value: string): void;
  /** Adds one to a counter, which begins at 0. */
  count(name: string): void;
  /** Returns the value; creates and stores it if there is none yet. */
  findOrSet(name: string, make: () => string): string;
  /** Sets all of these; undefined removes one. */
  setAll(values: Readonly<Record<string, string | undefined>>): void;
}

/** Prepares the queries on settings. */
export function openSettingTable(db: DatabaseSync): SettingTable {
  const find = db.prepare('SELECT value FROM setting WHERE name = ?');
  const set = db.prepare('INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value');
  const add = db.prepare('INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const remove = db.prepare('DELETE FROM setting WHERE name = ?');
  const findValue = (name: string) => (find.get(name) as { value: string } | undefined)?.value;
  return {
    find: findValue,
    set(name, value) {
      set.run(name, value);
    },
    count(name) {
      set.run(name, String((Number(findValue(name)) || 0) + 1));
    },
    findOrSet(name, make) {
      const found = findValue(name);
      if (found !== undefined) return found;
      // Another process may have stored a value meanwhile; that one counts.
      add.run(name, make());
      return findValue(name) as string;
    },
    setAll(values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) remove.run(name);
        else set.run(name, value);
      }
    },
  };
}
