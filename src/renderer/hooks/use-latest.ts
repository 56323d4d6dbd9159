import { type RefObject, useEffect, useRef } from 'react';

/** The value of the newest rendering, for callbacks and effects that outlive theirs. Read it in events, not while rendering. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
