import type { StoreWriter } from './store-writer.ts';

/** Values by key: readable at once, written as soon as the store accepts them. */
export interface KeptValues<Value> {
  find(key: string): Value | undefined;
  /** Undefined removes the value. */
  save(key: string, value: Value | undefined): void;
  keys(): string[];
}

/**
 * Opens values that were read from the store.
 *
 * @param options.name what they are, for the log if they are lost
 * @param options.write writes one to the store, or removes it
 */
export function openKeptValues<Value>({
  name,
  stored,
  write,
  writer,
}: {
  name: string;
  stored: Iterable<readonly [string, Value]>;
  write: (key: string, value: Value | undefined) => void;
  writer: Pick<StoreWriter, 'add'>;
}): KeptValues<Value> {
  const values = new Map(stored);
  const unwritten = new Set<string>();
  const describe = (key: string) => ({ [name]: { key, value: values.get(key) } });
  writer.add({
    get count() {
      return unwritten.size;
    },
    write(row) {
      for (const key of unwritten) row(describe(key), () => write(key, values.get(key)));
    },
    written: () => unwritten.clear(),
    describe: () => [...unwritten].map(describe),
  });
  return {
    find: (key) => values.get(key),
    save(key, value) {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
      unwritten.add(key);
    },
    keys: () => [...values.keys()],
  };
}
