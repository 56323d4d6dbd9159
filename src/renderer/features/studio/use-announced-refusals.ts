import { useEffect, useRef } from 'react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { useAnnouncer } from '../../hooks/use-announcer.ts';
import { listRefused } from './refused-encoders.ts';

/** Announces the newest refused encoder once, at the next pause. Those listed at opening aren't announced: screen readers read them. */
export function useAnnouncedRefusals({ hold, refusals }: Pick<StreamLive, 'hold' | 'refusals'>): void {
  const { politely } = useAnnouncer();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    // The announcement has no age.
    const refused = listRefused({ hold, refusals }, 0);
    const before = known.current;
    known.current = new Set(refused.map(({ id }) => id));
    const newest = before && refused.find(({ id, news }) => news !== undefined && !before.has(id));
    if (newest?.news !== undefined) politely(newest.news);
  }, [hold, refusals, politely]);
}
