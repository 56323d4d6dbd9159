import { hash } from 'node:crypto';
import { ServiceError } from '../../shared/errors.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { Clock } from '../ports.ts';
import type { ApiKeyRow, ApiKeyTable } from '../store/api-key-table.ts';
import { randomIds } from './new-ids.ts';
import { randomAlphanumerics } from './random-text.ts';

/** The API keys of this service. Only their hashes are stored, so a secret is known once: when it is made. */
export interface ApiKeys {
  create(name: string): { apiKey: ApiKey; secret: string };
  /** Newest first. */
  list(): ApiKey[];
  /**
   * Refuses the key from here on, in every process.
   *
   * @throws {ServiceError} NOT_FOUND, or CONFLICTING_INPUT when several keys bear the name.
   */
  revoke(nameOrId: string): ApiKey;
  /**
   * The key with this secret; undefined when it is unknown or revoked. The store is asked in each turn of the event loop,
   * once for all requests that arrived together: what another process has revoked is refused at once.
   */
  authenticate(secret: string): KnownKey | undefined;
}

/** Who a request comes from. */
interface KnownKey {
  id: string;
  name: string;
}

/** Lets secret scanners, and people, tell our keys from others. */
const secretPrefix = 'tl_';
/** 40 letters and digits carry 206 bits: a plain hash cannot be tried through. */
const secretLength = 40;
/** `lastUsedAt` is for people: each update waits for the disk. */
const lastUsedStepMs = 60_000;

/** Opens the API keys of a store. */
export function openApiKeys(table: ApiKeyTable, clock: Clock): ApiKeys {
  const noteUse = (id: string, at: number) => {
    try {
      table.setLastUsedAt(id, at);
    } catch {
      // A full disk must not keep anybody out; the health check tells of it.
    }
  };
  const lookUp = (secret: string): KnownKey | undefined => {
    const row = table.findByHash(hashSecret(secret));
    if (row === undefined) return undefined;
    const now = clock.now();
    if (row.lastUsedAt === null || now - row.lastUsedAt >= lastUsedStepMs) noteUse(row.id, now);
    return { id: row.id, name: row.name };
  };
  /** The keys of this turn of the event loop: taking SQLite's read lock costs as much as all else of a small answer. */
  const known = new Map<string, KnownKey>();
  const remember = (secret: string, key: KnownKey) => {
    if (known.size === 0) setImmediate(() => known.clear());
    known.set(secret, key);
    return key;
  };
  return {
    create(name) {
      const secret = secretPrefix + randomAlphanumerics(secretLength);
      const apiKey = { id: randomIds.id(), name, createdAt: clock.now() };
      table.insert({ ...apiKey, hash: hashSecret(secret) });
      return { apiKey, secret };
    },
    list: () => table.list().map(formatApiKey),
    revoke(nameOrId) {
      const keys = table.list();
      const byId = keys.find(({ id }) => id === nameOrId);
      const matches = byId === undefined ? keys.filter(({ name }) => name === nameOrId) : [byId];
      const [match, ...others] = matches;
      if (match === undefined)
        throw new ServiceError('NOT_FOUND', `There is no API key named "${nameOrId}", nor with this id.`);
      if (others.length > 0) {
        const ids = matches.map(({ id }) => id).join(', ');
        throw new ServiceError(
          'CONFLICTING_INPUT',
          `${matches.length} API keys are named "${nameOrId}": give the id of one, ${ids}.`,
        );
      }
      table.revoke(match.id, clock.now());
      known.clear();
      return formatApiKey(match);
    },
    authenticate(secret) {
      const found = known.get(secret) ?? lookUp(secret);
      return found && remember(secret, found);
    },
  };
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function formatApiKey({ id, name, createdAt, lastUsedAt }: ApiKeyRow): ApiKey {
  return { id, name, createdAt, ...(lastUsedAt !== null && { lastUsedAt }) };
}
