import { useState } from 'react';
import type { LiveStore } from '../store/live-store.ts';
import { useStore } from '../store/store-context.tsx';

/**
 * Like `useState`, but the value survives until the screen is opened again on the same page, unless the data it was made from has changed
 * meanwhile.
 *
 * @param stamp identifies the data it was made from
 */
export function useKept<Value>(
  key: string,
  stamp: string,
  initial: () => Value,
): [Value, (next: Value | ((known: Value) => Value)) => void] {
  const { kept } = useStore();
  const [value, setValue] = useState(() => findKept<Value>(kept, key, stamp) ?? initial());
  return [
    value,
    (next) => {
      // Also after the screen is closed: an answer may arrive late.
      const known = findKept<Value>(kept, key, stamp) ?? value;
      const changed = next instanceof Function ? next(known) : next;
      kept.set(key, { stamp, value: changed });
      setValue(changed);
    },
  ];
}

/** The value that a screen has kept under this key, if it was made from the same data. */
export function findKept<Value>(kept: LiveStore['kept'], key: string, stamp: string): Value | undefined {
  const known = kept.get(key);
  return known?.stamp === stamp ? (known.value as Value) : undefined;
}
