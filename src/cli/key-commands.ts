import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { databaseFileName, dataFolderError } from '../service/lib/data-folder.ts';
import { escapeInvisible } from '../service/lib/escape-invisible.ts';
import { openApiKeyTable } from '../service/store/api-key-table.ts';
import { openDatabase } from '../service/store/database.ts';
import { findStoreFault } from '../service/store/store-fault.ts';
import { type ApiKeys, openApiKeys } from '../service/streams/api-keys.ts';
import { ServiceError } from '../shared/errors.ts';
import { type ApiKey, ApiKeyName } from '../shared/model/api-key.ts';

/** Creates an API key and returns its secret. Creates the store too if there is none yet. @throws {ServiceError} */
export async function createKey(dataFolder: string, name: string): Promise<string> {
  const parsed = ApiKeyName.safeParse(name);
  if (!parsed.success) throw new ServiceError('INVALID_INPUT', 'The name must have 1 to 100 characters and must not be blank.');
  return withApiKeys(dataFolder, async (apiKeys) => (await apiKeys.create(parsed.data)).secret);
}

/** The API keys, newest first. @throws {ServiceError} */
export async function listKeys(dataFolder: string): Promise<ApiKey[]> {
  requireStore(dataFolder);
  return withApiKeys(dataFolder, async (apiKeys) => apiKeys.list());
}

/** Revokes the one key with this name or id. @throws {ServiceError} */
export async function revokeKey(dataFolder: string, nameOrId: string): Promise<ApiKey> {
  requireStore(dataFolder);
  return withApiKeys(dataFolder, (apiKeys) => apiKeys.revoke(nameOrId));
}

/** Formats keys as a table, with times in UTC. Their names can't control the terminal. */
export function formatKeyTable(keys: readonly ApiKey[]): string {
  const rows = [
    ['ID', 'NAME', 'CREATED', 'LAST USED'],
    ...keys.map(({ id, name, createdAt, lastUsedAt }) => [
      id,
      escapeInvisible(name),
      formatTime(createdAt),
      formatTime(lastUsedAt),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function formatTime(time: number | undefined): string {
  return time === undefined ? 'never' : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Reports a mistyped folder instead of creating it, and says so if a folder is another user's. */
function requireStore(dataFolder: string): void {
  try {
    if (statSync(join(dataFolder, databaseFileName), { throwIfNoEntry: false }) !== undefined) return;
  } catch (error) {
    throw dataFolderError(dataFolder, error);
  }
  throw new ServiceError(
    'NOT_FOUND',
    `There is no store in ${dataFolder}. Start Tallylight there first, or use another --data-dir.`,
  );
}

/** How long a command waits for the service, or another command, to finish writing. */
const busyTimeoutMs = 5_000;

/** Opens the store, which a service may be using: a damaged store is not set aside, and no keychain is needed. */
async function withApiKeys<T>(dataFolder: string, use: (apiKeys: ApiKeys) => Promise<T>): Promise<T> {
  const { db } = openDatabase(dataFolder, pino({ level: 'silent' }), { onDamage: 'refuse', busyTimeoutMs });
  try {
    // A command has nothing else to do, so SQLite may block.
    const writer = { add: () => {}, write: async <R>(work: () => R) => work() };
    return await use(openApiKeys(openApiKeyTable(db), writer, { now: Date.now }));
  } catch (error) {
    throw findStoreFault(error) ?? error;
  } finally {
    db.close();
  }
}
