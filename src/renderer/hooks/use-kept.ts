import { useState } from 'react';
import { useStore } from '../store/store-context.tsx';

/** As `useState`, but the value is there again when the place is opened again on the same page. */
export function useKept<Value>(key: string, initial: () => Value): [Value, (next: Value) => void] {
  const { kept } = useStore();
  const [value, setValue] = useState(() => (kept.has(key) ? (kept.get(key) as Value) : initial()));
  return [
    value,
    (next) => {
      kept.set(key, next);
      setValue(next);
    },
  ];
}
