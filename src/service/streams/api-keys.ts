import { hash } from 'node:crypto';
import { ServiceError } from '../../shared/errors.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import { createEventSource, joinUndos } from '../lib/event-source.ts';
import { SharedPoll } from '../lib/shared-poll.ts';
import type { Clock } from '../ports.ts';
import type { ApiKeyRow, ApiKeyTable } from '../store/api-key-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { WaitingChanges } from '../store/waiting-changes.ts';
import { randomIds } from './new-ids.ts';
import { randomAlphanumerics } from './random-text.ts';

/** The API keys of this service. Only hashes are stored, so a secret is known only when it is created. */
export interface ApiKeys {
  /** @throws {ServiceError} UNAVAILABLE when the store cannot be written, as for {@link ApiKeys.revoke} */
  create(name: string): Promise<{ apiKey: ApiKey; secret: string }>;
  /** Newest first. */
  list(): ApiKey[];
  /**
   * Revokes a key, in every process.
   *
   * @throws {ServiceError} NOT_FOUND, or CONFLICTING_INPUT when several keys have this name
   */
  revoke(nameOrId: string): Promise<ApiKey>;
  /**
   * The key with this secret; undefined if it is unknown or revoked. The store is read in each turn of the event loop, once for all
   * requests that arrived together, so a revocation by another process takes effect at once.
   */
  authenticate(secret: string): KnownKey | undefined;
  /** Called when the list changes: at once, or within a second when another process has changed it. Returns the undo. */
  onChange(listener: () => void): () => void;
}

/** The API key that a request came with. */
interface KnownKey {
  id: string;
  name: string;
}

/** Lets people and secret scanners recognise our keys. */
const secretPrefix = 'tl_';
/** 40 letters and digits have 206 bits, so a plain hash cannot be brute-forced. */
const secretLength = 40;
/** `lastUsedAt` is only informative, and each update costs a write. */
const lastUsedStepMs = 60_000;
/** How often we check whether another process has written the store, while somebody listens. */
const foreignLookMs = 1_000;

/** Opens the API keys of a store. */
export function openApiKeys(
  table: ApiKeyTable,
  writer: Pick<StoreWriter, 'add' | 'write'>,
  clock: Pick<Clock, 'now'>,
): ApiKeys {
  /** When keys were last used, as far as that is not stored yet. */
  const used = new Map<string, number>();
  const changed = createEventSource<void>();
  const foreignChanges = followForeignChanges(table, changed.emit);
  writer.add(createWaitingUses(used, table));
  const withUse = (row: ApiKeyRow): ApiKeyRow => ({ ...row, lastUsedAt: used.get(row.id) ?? row.lastUsedAt });
  const lookUp = (secret: string): KnownKey | undefined => {
    const row = table.findByHash(hashSecret(secret));
    if (row === undefined) return undefined;
    const now = clock.now();
    const { lastUsedAt } = withUse(row);
    if (lastUsedAt === null || Math.abs(now - lastUsedAt) >= lastUsedStepMs) {
      used.set(row.id, now);
      changed.emit();
    }
    return { id: row.id, name: row.name };
  };
  /** The keys looked up in this turn: taking SQLite's read lock costs as much as the rest of a small answer. */
  const known = new Map<string, KnownKey>();
  const remember = (secret: string, key: KnownKey) => {
    if (known.size === 0) setImmediate(() => known.clear());
    known.set(secret, key);
    return key;
  };
  return {
    async create(name) {
      const secret = secretPrefix + randomAlphanumerics(secretLength);
      const apiKey = { id: randomIds.id(), name, createdAt: clock.now() };
      await writer.write(() => table.insert({ ...apiKey, hash: hashSecret(secret) }), changed.emit);
      return { apiKey, secret };
    },
    list: () => table.list().map(withUse).map(formatApiKey),
    async revoke(nameOrId) {
      const keys = table.list().map(withUse);
      const byId = keys.find(({ id }) => id === nameOrId);
      const matches = byId === undefined ? keys.filter(({ name }) => name === nameOrId) : [byId];
      const [match, ...others] = matches;
      if (match === undefined) throw new ServiceError('NOT_FOUND', describeUnknown(nameOrId));
      if (others.length > 0) {
        const ids = matches.map(({ id }) => id).join(', ');
        throw new ServiceError(
          'CONFLICTING_INPUT',
          `${matches.length} API keys are named "${nameOrId}". Use the id of one: ${ids}.`,
        );
      }
      await writer.write(
        () => table.revoke(match.id, clock.now()),
        () => {
          known.clear();
          changed.emit();
        },
      );
      return formatApiKey(match);
    },
    authenticate(secret) {
      const found = known.get(secret) ?? lookUp(secret);
      return found && remember(secret, found);
    },
    onChange: (listener) => joinUndos(changed.on(listener), foreignChanges.need()),
  };
}

/** Looks for keys that other processes change while it is needed: the command line creates and revokes keys, too. */
function followForeignChanges(table: Pick<ApiKeyTable, 'readForeignVersion' | 'list'>, tell: () => void): SharedPoll {
  let seen: { version: number; keys: string } | undefined;
  const look = () => {
    const version = table.readForeignVersion();
    if (version === seen?.version) return;
    const before = seen;
    // Checkpoints are commits of another connection, too.
    seen = { version, keys: JSON.stringify(table.list()) };
    if (before !== undefined && before.keys !== seen.keys) tell();
  };
  return new SharedPoll({
    async read() {
      try {
        look();
      } catch {
        // Listing the keys reports why the store can't be read.
      }
    },
    pauseMs: () => foreignLookMs,
  });
}

function createWaitingUses(used: Map<string, number>, table: ApiKeyTable): WaitingChanges {
  return {
    get count() {
      return used.size;
    },
    write(row) {
      for (const [id, at] of used) row({ keyUsed: id, at }, () => table.setLastUsedAt(id, at));
    },
    written: () => used.clear(),
    describe: () => ({ keysUsed: Object.fromEntries(used) }),
  };
}

/** Doesn't repeat the text if it is a secret, which is easily given instead of a name. */
function describeUnknown(nameOrId: string): string {
  return nameOrId.startsWith(secretPrefix) && nameOrId.length === secretPrefix.length + secretLength
    ? 'A key is revoked by its name or its id, not by the key itself.'
    : `No API key has the name or id "${nameOrId}".`;
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function formatApiKey({ id, name, createdAt, lastUsedAt }: ApiKeyRow): ApiKey {
  return { id, name, createdAt, ...(lastUsedAt !== null && { lastUsedAt }) };
}
