import { useState } from 'react';

/** Whether two values have the same JSON. */
export function hasSameContent(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The same object for as long as its content stays the same, for effects: each answer and each rendering makes new objects. */
export function useSameByContent<Value>(value: Value): Value {
  const [known, setKnown] = useState(() => value);
  if (hasSameContent(known, value)) return known;
  setKnown(() => value);
  return value;
}
