import { useEffect, useState } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import { alertUser } from '../../alerts/alert-user.ts';
import { watchInterruptions } from '../../alerts/interruption-watch.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { goTo } from '../../hooks/use-route.ts';
import { useStore } from '../../store/store-context.tsx';

/**
 * Alerts a user whose attention is elsewhere that viewers get nothing new, and withdraws that once they do. Screen readers hear of it
 * from the screens (`AirAlerts`).
 */
export function InterruptionAlerts() {
  const { connection, streams: list } = useStore();
  const [see] = useState(() =>
    watchInterruptions({
      serviceNowMs: () => Date.now() + connection.clock.newestOffsetMs(),
      alert: ({ streamId, name, word, tag }) =>
        alertUser(`${isolateName(name)}: ${word.toLowerCase()}`, {
          body: 'Viewers get nothing new. Open Tallylight to see why.',
          tag,
          onOpen: () => goTo({ kind: 'studio', streamId }),
        }),
    }),
  );
  const streams = useLiveValue(list);
  useEffect(() => {
    const isRead = streams.kind === 'known' && streams.unreadSinceMs === undefined;
    see(isRead ? streams.value : undefined);
  }, [see, streams]);
  useEffect(() => () => see(undefined), [see]);
  return null;
}
