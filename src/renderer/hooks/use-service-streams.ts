import type { StreamView } from '../../shared/model/views.ts';
import type { LiveSnapshot } from '../store/live-value.ts';
import { useStore } from '../store/store-context.tsx';
import { useLiveValue } from './use-live-value.ts';

/** The streams of a service: with an id a remote one's, else this computer's with those of remote ones that it sends to. */
export function useServiceStreams(serviceId: string | undefined): LiveSnapshot<StreamView[]> {
  const store = useStore();
  return useLiveValue(serviceId === undefined ? store.streams : store.remoteStreams(serviceId));
}
