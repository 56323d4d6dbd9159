import type { KeptRecord } from '../../src/service/store/kept-record.ts';

/** A record that is kept in memory alone. */
export function createMemoryRecord<Value>(initial: Value): KeptRecord<Value> {
  let stored = initial;
  return {
    get: () => stored,
    set(value) {
      stored = value;
    },
  };
}
