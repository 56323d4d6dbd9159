import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { AnnouncerContext } from '../hooks/use-announcer.ts';
import styles from './announcer.module.css';

/**
 * How long a sentence stays before the next replaces it, in milliseconds. A live region that changes twice at once is read only
 * the second time.
 */
const turnMs = 400;

/**
 * Holds the page's live regions. A dialog hides the page from screen readers, but for elements that have `aria-live`: the role alone
 * isn't enough.
 */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [polite, politely] = useTurns();
  const [assertive, assertively] = useTurns();
  const announcer = useMemo(() => ({ politely, assertively }), [politely, assertively]);
  return (
    <AnnouncerContext value={announcer}>
      {children}
      <div role="status" aria-live="polite" className={styles.region} data-announcer="polite">
        {polite}
      </div>
      <div role="alert" aria-live="assertive" className={styles.region} data-announcer="assertive">
        {assertive}
      </div>
    </AnnouncerContext>
  );
}

interface Turn {
  id: symbol;
  text: string;
}

/** The current sentence, and a function that queues another. */
function useTurns(): [string, (sentence: string) => () => void] {
  const [queue, setQueue] = useState<readonly Turn[]>([]);
  /** The region may still show it after it was withdrawn, until the page is drawn again. */
  const last = useRef<string>(undefined);
  const say = useCallback((sentence: string) => {
    const id = Symbol(sentence);
    const text = distinct(last.current, sentence);
    last.current = text;
    setQueue((said) => [...said, { id, text }]);
    return () => setQueue((said) => said.filter((turn) => turn.id !== id));
  }, []);
  useEffect(() => {
    if (queue.length < 2) return;
    const timer = setTimeout(() => setQueue((said) => said.slice(1)), turnMs);
    return () => clearTimeout(timer);
  }, [queue]);
  return [queue[0]?.text ?? '', say];
}

/** A sentence must differ from the previous one, or it isn't read again. */
function distinct(said: string | undefined, sentence: string): string {
  return said === sentence ? `${sentence}\u00a0` : sentence;
}
