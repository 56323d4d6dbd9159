import type { KeptRecord } from '../../src/service/store/kept-record.ts';

/** A record kept only in memory. */
export function createMemoryRecord<Value>(initial: Value): KeptRecord<Value> {
  let stored = initial;
  return {
    get: () => stored,
    set(value) {
      stored = value;
    },
  };
}
