import type { StreamTable } from '../store/stream-table.ts';
import type { WaitingChanges, WriteRow } from '../store/waiting-changes.ts';

/** A stream key as stored. */
export interface SealedKey {
  sealedKey: Uint8Array;
  keyHash: Uint8Array;
}

/** Keys that were issued while streams were read, so they are not stored yet. */
export class ReissuedKeys implements WaitingChanges {
  readonly #table: Pick<StreamTable, 'setKey'>;
  readonly #keys = new Map<string, SealedKey & { streamKey: string }>();

  constructor(table: Pick<StreamTable, 'setKey'>) {
    this.#table = table;
  }

  add(streamId: string, key: SealedKey & { streamKey: string }): void {
    this.#keys.set(streamId, key);
  }

  find(streamId: string): string | undefined {
    return this.#keys.get(streamId)?.streamKey;
  }

  /** The stream whose reissued key has this hash. */
  findStreamId(keyHash: Uint8Array): string | undefined {
    const entries = [...this.#keys];
    return entries.find(([, key]) => Buffer.compare(key.keyHash, keyHash) === 0)?.[0];
  }

  get count(): number {
    return this.#keys.size;
  }

  write(row: WriteRow): void {
    for (const [id, { sealedKey, keyHash }] of this.#keys) {
      row({ streamWithNewKey: id }, () => this.#table.setKey(id, sealedKey, keyHash));
    }
  }

  written(): void {
    this.#keys.clear();
  }

  describe(): unknown {
    return { streamsWithNewKeys: [...this.#keys.keys()] };
  }
}
