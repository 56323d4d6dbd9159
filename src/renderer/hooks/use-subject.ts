import { useEffect, useState } from 'react';

/** What a question is about. */
export interface Subject<Item> {
  /** As it is now; undefined while nothing is asked. */
  subject: Item | undefined;
  ask(about: Item): void;
  close(): void;
}

/**
 * A question about an item of a list, which is looked up each time: another page may change it while the question is open, or remove it,
 * which closes the question.
 */
export function useSubject<Item>(items: readonly Item[], keyOf: (item: Item) => string): Subject<Item> {
  const [key, setKey] = useState<string>();
  const subject = key === undefined ? undefined : items.find((item) => keyOf(item) === key);
  const isGone = key !== undefined && subject === undefined;
  // Otherwise the question would come back by itself.
  useEffect(() => {
    if (isGone) setKey(undefined);
  }, [isGone]);
  return { subject, ask: (about) => setKey(keyOf(about)), close: () => setKey(undefined) };
}
