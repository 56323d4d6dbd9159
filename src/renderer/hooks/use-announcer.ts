import { createContext, use } from 'react';

/** Announces sentences to screen readers, once each. Returns how to withdraw one that no longer holds, whether it was read or not. */
export interface Announcer {
  /** At the next pause. */
  politely(sentence: string): () => void;
  /** At once, interrupting whatever is being read. */
  assertively(sentence: string): () => void;
}

export const AnnouncerContext = createContext<Announcer | undefined>(undefined);

/** The page's announcer. */
export function useAnnouncer(): Announcer {
  const announcer = use(AnnouncerContext);
  if (announcer === undefined) throw new Error('useAnnouncer is called outside AnnouncerProvider');
  return announcer;
}
