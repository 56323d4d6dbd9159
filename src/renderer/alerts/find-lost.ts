import type { StreamView } from '../../shared/model/views.ts';

/** A stream's broadcast that was lost. */
export interface NewlyLost {
  /** The stream's. */
  id: string;
  name: string;
  sessionId: string;
}

/** The broadcasts that have been lost since `before`. Those of streams missing from `before` are not news. */
export function findNewlyLost(before: readonly StreamView[], now: readonly StreamView[]): NewlyLost[] {
  return now.flatMap(({ id, name, lost }) => {
    const isNews = before.some((known) => known.id === id && known.lost?.sessionId !== lost?.sessionId);
    return lost !== undefined && isNews ? { id, name, sessionId: lost.sessionId } : [];
  });
}
