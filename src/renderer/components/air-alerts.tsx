import type { StreamLive } from '../../shared/model/views.ts';
import { useAnnouncedState } from '../hooks/use-announced-state.ts';
import { useConnectionState } from '../hooks/use-connection-state.ts';
import { useLiveValue } from '../hooks/use-live-value.ts';
import { useIsContactLost } from '../hooks/use-lost-contact.ts';
import { describeAir } from '../status/air-status.ts';
import type { AirSummary } from '../status/summarize-air.ts';
import type { LiveSnapshot } from '../store/live-value.ts';
import { useStore } from '../store/store-context.tsx';

type Known = Exclude<AirSummary, { kind: 'nothing-known' }>;

/**
 * Announces when a screen shows another state or stream, but not the first. Keep it mounted while that changes.
 */
export function AirAlerts({ shown }: { shown: AirSummary }) {
  return shown.kind === 'nothing-known' ? null : <KnownAlerts shown={shown} />;
}

/** The verdict is only in the stream's own live value, not in the list. */
function KnownAlerts({ shown }: { shown: Known }) {
  const store = useStore();
  const stream = shown.kind === 'stream' ? shown.stream : undefined;
  const watched = stream && store.stream(stream.id);
  const live = useLiveValue(watched);
  const isListLost = useIsContactLost(store.streams);
  const isStreamLost = useIsContactLost(watched);
  // Contact lost just now isn't mentioned yet, but nothing is news until it is back.
  const isUnknown = useConnectionState().kind !== 'open' || isListLost || isStreamLost;
  const status = shown.kind === 'stream' ? describeAir(shown.stream) : shown.status;
  useAnnouncedState(isUnknown ? undefined : status, readJudged(live), stream);
  return null;
}

function readJudged(live: LiveSnapshot<StreamLive> | undefined): StreamLive | 'unread' | undefined {
  if (live?.kind === 'waiting') return 'unread';
  return live?.kind === 'known' && live.refused === undefined ? live.value : undefined;
}
