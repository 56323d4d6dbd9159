import { useEffect, useRef } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { alertUser } from '../../alerts/alert-user.ts';
import { findNewlyLost, isPast } from '../../alerts/find-lost.ts';
import { isDialogOpen } from '../../focus/open-dialogs.ts';
import { useAnnouncer } from '../../hooks/use-announcer.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { goTo } from '../../hooks/use-route.ts';
import type { Route } from '../../routing/route.ts';
import { useStore } from '../../store/store-context.tsx';

/**
 * Announces a lost broadcast wherever the user is: as a system notification, by sound if wanted and still of use, and to screen readers at
 * once.
 */
export function LostAlerts({ route }: { route: Route }) {
  const { connection, streams: list } = useStore();
  const streams = useLiveValue(list);
  const { assertively } = useAnnouncer();
  const openId = useRef<string>(undefined);
  useEffect(() => {
    openId.current = route.kind === 'studio' ? route.streamId : undefined;
  }, [route]);
  const known = useRef<readonly StreamView[]>([]);
  useEffect(() => {
    if (streams.kind !== 'known') return;
    const lost = findNewlyLost(known.current, streams.value);
    known.current = streams.value;
    const serviceNowMs = Date.now() + connection.clock.newestOffsetMs();
    for (const { id, name, sessionId, endedAt } of lost) {
      const title = `${isolateName(name)}: broadcast lost`;
      // Its Studio shows a card with more detail, which is announced unless a dialog covers it.
      if (openId.current !== id || isDialogOpen()) assertively(title);
      const onOpen = () => goTo({ kind: 'studio', streamId: id });
      const body = 'It has ended for viewers. Open Tallylight to see why.';
      alertUser(title, { body, tag: sessionId, isPast: isPast({ endedAt }, serviceNowMs), onOpen });
    }
  }, [connection, streams, assertively]);
  return null;
}
