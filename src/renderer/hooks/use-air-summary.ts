import { noContact } from '../status/air-status.ts';
import { type AirSummary, summarizeAir } from '../status/summarize-air.ts';
import { useStore } from '../store/store-context.tsx';
import { useIsContactLost } from './use-lost-contact.ts';
import { useStreamsAround } from './use-service-streams.ts';

/** The summary of the streams around a screen (`useStreamsAround`), the same in its bar, its title and the rail's lamp. */
export function useAirSummary(serviceId: string | undefined): AirSummary {
  const around = useStreamsAround(serviceId);
  const isLost = useIsContactLost(useStore().streams);
  return isLost ? { kind: 'status', status: noContact } : summarizeAir(around);
}
