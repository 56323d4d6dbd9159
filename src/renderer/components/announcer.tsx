import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import styles from './announcer.module.css';

/** Says sentences to screen readers, once each. */
export interface Announcer {
  /** When there is a pause. */
  politely(sentence: string): void;
  /** At once, over whatever is being read. */
  assertively(sentence: string): void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);

/** How long a sentence stays before the next one replaces it, in milliseconds: a live region that changes twice at once says the last only. */
const turnMs = 400;

/** Holds the page's live regions. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [polite, politely] = useTurns();
  const [assertive, assertively] = useTurns();
  const announcer = useMemo(() => ({ politely, assertively }), [politely, assertively]);
  return (
    <AnnouncerContext value={announcer}>
      {children}
      <div role="status" className={styles.region} data-announcer="polite">
        {polite}
      </div>
      <div role="alert" className={styles.region} data-announcer="assertive">
        {assertive}
      </div>
    </AnnouncerContext>
  );
}

/** The sentence that is said now, and how to say another after it. */
function useTurns(): [string, (sentence: string) => void] {
  const [queue, setQueue] = useState<readonly string[]>([]);
  const say = useCallback((sentence: string) => setQueue((said) => [...said, distinct(said.at(-1), sentence)]), []);
  useEffect(() => {
    if (queue.length < 2) return;
    const timer = setTimeout(() => setQueue((said) => said.slice(1)), turnMs);
    return () => clearTimeout(timer);
  }, [queue]);
  return [queue[0] ?? '', say];
}

/** A sentence that is said twice in a row must differ, or it is not said again. */
function distinct(said: string | undefined, sentence: string): string {
  return said === sentence ? `${sentence}\u00a0` : sentence;
}

/** The announcer of the page. */
export function useAnnouncer(): Announcer {
  const announcer = use(AnnouncerContext);
  if (announcer === undefined) throw new Error('useAnnouncer is called outside AnnouncerProvider');
  return announcer;
}
