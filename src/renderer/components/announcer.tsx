import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import styles from './unseen.module.css';

/** Says sentences to screen readers, once each. */
export interface Announcer {
  /** When there is a pause. */
  politely(sentence: string): void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);

/** Holds the page's live region. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [polite, setPolite] = useState('');
  const politely = useCallback((sentence: string) => setPolite((said) => distinct(said, sentence)), []);
  const announcer = useMemo(() => ({ politely }), [politely]);
  return (
    <AnnouncerContext value={announcer}>
      {children}
      <div role="status" className={styles.unseen} data-announcer="polite">
        {polite}
      </div>
    </AnnouncerContext>
  );
}

/** A sentence that is said twice in a row must differ, or it is not said again. */
function distinct(said: string, sentence: string): string {
  return said === sentence ? `${sentence}\u00a0` : sentence;
}

/** The announcer of the page. */
export function useAnnouncer(): Announcer {
  const announcer = use(AnnouncerContext);
  if (announcer === undefined) throw new Error('useAnnouncer is called outside AnnouncerProvider');
  return announcer;
}
