import type { StreamView } from '../../shared/model/views.ts';

/** A stream's broadcast that was lost. */
export interface NewlyLost {
  /** The stream's. */
  id: string;
  name: string;
  sessionId: string;
  /** By the service's clock, in epoch milliseconds. */
  endedAt: number;
}

/** After this long, in milliseconds, nobody has to run to save the broadcast. */
const pastMs = 10 * 60_000;

/** The broadcasts that have been lost since `before`. Those of streams missing from `before` are not news. */
export function findNewlyLost(before: readonly StreamView[], now: readonly StreamView[]): NewlyLost[] {
  return now.flatMap(({ id, name, lost }) => {
    const isNews = before.some((known) => known.id === id && known.lost?.sessionId !== lost?.sessionId);
    return lost !== undefined && isNews ? { id, name, sessionId: lost.sessionId, endedAt: lost.endedAt } : [];
  });
}

/** Whether a broadcast was lost so long ago that it is no alarm any more, as for a page that slept or had no contact. */
export function isPast({ endedAt }: Pick<NewlyLost, 'endedAt'>, serviceNowMs: number): boolean {
  return serviceNowMs - endedAt > pastMs;
}
