import { z } from 'zod';
import { ServiceError } from '../../shared/errors.ts';
import { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { SealedText } from '../secrets/master-key.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { RemoteServiceRow, RemoteServiceTable } from '../store/remote-service-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';

/** A remote service as it is kept, without its API key. */
export interface KeptService {
  id: string;
  name: string;
  /** As `parseRemoteBaseUrl` returns it. */
  baseUrl: string;
  /** The pairs of all its regions that it last listed. */
  pairs: readonly IngestPair[];
}

/** The remote services of a store, and their API keys. */
export interface RemoteLedger {
  /** In the order they were added. */
  list(): KeptService[];
  /**
   * @param written runs as soon as it can be read, before it is on disk
   * @throws {ServiceError} UNAVAILABLE when the store cannot be written, or when the disk doesn't confirm it. Only in the latter
   *   case `written` did run. As for the other calls that return a promise
   */
  add(service: KeptService, apiKey: string, written: () => void): Promise<void>;
  /**
   * Changes values of a service, and no others.
   *
   * @param decide returns the changes at the time of the write, since the service may have changed until then. Its errors are passed on
   * @param apiKey the key for its base URL; undefined keeps the one it has
   * @param written as for `add`
   * @throws {ServiceError} NOT_FOUND when it was removed
   */
  change(
    id: string,
    decide: (known: KeptService) => Partial<Omit<KeptService, 'id'>>,
    apiKey: string | undefined,
    written: () => void,
  ): Promise<void>;
  /**
   * @param check called within the write, since the service may be in use by then; an error that it throws rejects the removal
   * @param written as for `add`
   */
  remove(id: string, check: () => void, written: () => void): Promise<void>;
  /** Takes over the pairs that a service lists now: readable at once, written as soon as the store accepts them. */
  keepPairs(id: string, pairs: readonly IngestPair[]): void;
  /** The API key for this base URL; undefined if the key that sealed it is gone, or if it was entered for another origin. */
  findKey(id: string, baseUrl: string): string | undefined;
}

/** Opens the remote services of a store. */
export function openRemoteLedger(
  table: RemoteServiceTable,
  writer: Pick<StoreWriter, 'add' | 'write'>,
  sealer: Pick<Sealer, 'seal' | 'open'>,
): RemoteLedger {
  const rows = new Map(table.list().map((row) => [row.id, row]));
  /** The services whose pairs are not stored yet. */
  const unwritten = new Set<string>();
  writer.add({
    get count() {
      return unwritten.size;
    },
    write(write) {
      for (const id of unwritten) {
        const row = rows.get(id);
        if (row !== undefined) write({ pairsOfService: id }, () => table.put(row));
      }
    },
    written: () => unwritten.clear(),
    describe: () => ({ pairsOfServices: [...unwritten] }),
  });
  const seal = (apiKey: string, of: Pick<RemoteServiceRow, 'id' | 'baseUrl'>) => sealer.seal(apiKey, nameOwner(of));
  return {
    list: () => [...rows.values()].map(formatService),
    async add({ id, name, baseUrl, pairs }, apiKey, written) {
      const row = { id, name, baseUrl, sealedKey: seal(apiKey, { id, baseUrl }), pairs: JSON.stringify(pairs) };
      await writer.write(
        () => table.put(row),
        () => {
          rows.set(id, row);
          written();
        },
      );
    },
    async change(id, decide, apiKey, written) {
      const write = () => {
        const known = rows.get(id);
        if (known === undefined) throw new ServiceError('NOT_FOUND', 'The remote service was removed.');
        const { pairs, ...changes } = decide(formatService(known));
        const row = { ...known, ...changes, ...(pairs && { pairs: JSON.stringify(pairs) }) };
        if (apiKey !== undefined) row.sealedKey = seal(apiKey, row);
        table.put(row);
        return row;
      };
      await writer.write(write, (row) => {
        rows.set(id, row);
        written();
      });
    },
    async remove(id, check, written) {
      await writer.write(
        () => {
          check();
          table.remove(id);
        },
        () => {
          rows.delete(id);
          written();
        },
      );
    },
    keepPairs(id, pairs) {
      const row = rows.get(id);
      if (row === undefined) return;
      rows.set(id, { ...row, pairs: JSON.stringify(pairs) });
      unwritten.add(id);
    },
    findKey(id, baseUrl) {
      const row = rows.get(id);
      return row && sealer.open(row.sealedKey, nameOwner({ id, baseUrl }));
    },
  };
}

/** Seals all API keys again, for a master key that has moved. Call it in a transaction. */
export function resealApiKeys(table: RemoteServiceTable, from: Pick<Sealer, 'open'>, to: Pick<Sealer, 'seal'>): void {
  for (const row of table.list()) {
    const key = from.open(row.sealedKey, nameOwner(row));
    if (key !== undefined) table.put({ ...row, sealedKey: to.seal(key, nameOwner(row)) });
  }
}

/** The API keys of a store, as they are sealed. */
export function listSealedApiKeys(table: RemoteServiceTable): SealedText[] {
  return table.list().map((row) => ({ bytes: row.sealedKey, owner: nameOwner(row) }));
}

/** A key is sealed for the origin it was entered for: it opens for no other address. */
function nameOwner({ id, baseUrl }: Pick<RemoteServiceRow, 'id' | 'baseUrl'>): string {
  return `remote service ${id} at ${new URL(baseUrl).origin}`;
}

function formatService({ id, name, baseUrl, pairs }: RemoteServiceRow): KeptService {
  return { id, name, baseUrl, pairs: z.array(IngestPair).parse(JSON.parse(pairs)) };
}
