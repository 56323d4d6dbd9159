import type { DatabaseSync } from 'node:sqlite';

/** A stored API key, without its secret. Times are Unix milliseconds; null means never. */
export interface ApiKeyRow {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** The queries on API keys. Revoked keys are never found. */
export interface ApiKeyTable {
  insert(row: { id: string; name: string; hash: Uint8Array; createdAt: number }): void;
  findByHash(hash: Uint8Array): ApiKeyRow | undefined;
  /** Newest first. */
  list(): ApiKeyRow[];
  setLastUsedAt(id: string, at: number): void;
  /** Returns false if there is no such key or it was already revoked. */
  revoke(id: string, at: number): boolean;
  /** Another number once another process has written the store; what this one writes doesn't change it (`PRAGMA data_version`). */
  readForeignVersion(): number;
}

const columns = 'id, name, created_at AS createdAt, last_used_at AS lastUsedAt';

/** Prepares the queries on API keys. Nothing is cached, so a revocation by another process takes effect at once. */
export function openApiKeyTable(db: DatabaseSync): ApiKeyTable {
  const insert = db.prepare('INSERT INTO api_key (id, name, hash, created_at) VALUES (?, ?, ?, ?)');
  const findByHash = db.prepare(`SELECT ${columns} FROM api_key WHERE hash = ? AND revoked_at IS NULL`);
  const list = db.prepare(`SELECT ${columns} FROM api_key WHERE revoked_at IS NULL ORDER BY seq DESC`);
  const setLastUsedAt = db.prepare('UPDATE api_key SET last_used_at = ? WHERE id = ?');
  const revoke = db.prepare('UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const foreignVersion = db.prepare('PRAGMA data_version');
  return {
    insert({ id, name, hash, createdAt }) {
      insert.run(id, name, hash, createdAt);
    },
    findByHash: (hash) => findByHash.get(hash) as ApiKeyRow | undefined,
    list: () => list.all() as unknown as ApiKeyRow[],
    setLastUsedAt(id, at) {
      setLastUsedAt.run(at, id);
    },
    revoke: (id, at) => revoke.run(at, id).changes === 1,
    readForeignVersion: () => (foreignVersion.get() as { data_version: number }).data_version,
  };
}
