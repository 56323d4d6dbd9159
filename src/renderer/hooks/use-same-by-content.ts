import { useState } from 'react';
import { hasSameContent } from '../../shared/same-content.ts';

/** The same object for as long as its content stays the same, for effects: each answer and each rendering makes new objects. */
export function useSameByContent<Value>(value: Value): Value {
  const [known, setKnown] = useState(() => value);
  if (hasSameContent(known, value)) return known;
  setKnown(() => value);
  return value;
}
