import type { DatabaseSync } from 'node:sqlite';

/** A stored remote service. `pairs` is JSON. */
export interface RemoteServiceRow {
  id: string;
  name: string;
  baseUrl: string;
  sealedKey: Uint8Array;
  pairs: string;
}

/** The queries on remote services. */
export interface RemoteServiceTable {
  /** In the order they were added. */
  list(): RemoteServiceRow[];
  /** Adds a service, or replaces the one with its id. */
  put(row: RemoteServiceRow): void;
  remove(id: string): void;
}

/** Prepares the queries on remote services. */
export function openRemoteServiceTable(db: DatabaseSync): RemoteServiceTable {
  const list = db.prepare(
    'SELECT id, name, base_url AS baseUrl, sealed_key AS sealedKey, pairs FROM remote_service ORDER BY seq',
  );
  const put = db.prepare(
    `INSERT INTO remote_service (id, name, base_url, sealed_key, pairs) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, base_url = excluded.base_url, sealed_key = excluded.sealed_key,
       pairs = excluded.pairs`,
  );
  const remove = db.prepare('DELETE FROM remote_service WHERE id = ?');
  return {
    list: () => list.all() as unknown as RemoteServiceRow[],
    put({ id, name, baseUrl, sealedKey, pairs }) {
      put.run(id, name, baseUrl, sealedKey, pairs);
    },
    remove(id) {
      remove.run(id);
    },
  };
}
