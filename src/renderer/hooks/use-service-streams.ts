import type { StreamView } from '../../shared/model/views.ts';
import { pickMostUrgent } from '../status/air-status.ts';
import type { StreamsAround } from '../status/summarize-air.ts';
import { allUnheard, type LiveStore } from '../store/live-store.ts';
import type { LiveSnapshot, LiveValue } from '../store/live-value.ts';
import { useStore } from '../store/store-context.tsx';
import { useLiveValue } from './use-live-value.ts';
import { useIsContactLost } from './use-lost-contact.ts';
import { useRemoteServices } from './use-remote-services.ts';

/**
 * The streams that a screen is about: this computer's; with an id that remote service's, below those of this computer that are on air or in
 * trouble.
 */
export function useStreamsAround(serviceId: string | undefined): StreamsAround {
  const here = useLiveValue(useStore().streams);
  const there = useServiceStreams(serviceId);
  const isThereUnread = useIsContactLost(listStreams(useStore(), serviceId));
  const doesNotAnswer = useRemoteServices().some(({ id, failure }) => id === serviceId && failure !== undefined);
  const isHereUnread = here.kind === 'failed' || (here.kind === 'known' && here.refused !== undefined);
  const fromHere = here.kind === 'known' ? here.value : [];
  const known = there.kind === 'known' ? there.value : [];
  // A remote service may answer much later than this one.
  const fromThere = isThereUnread ? allUnheard(known) : known;
  return {
    streams: serviceId === undefined ? fromHere : mergeStreams(fromHere, fromThere),
    isComplete: here.kind === 'known' && there.kind === 'known',
    // A service without streams has no stream to show that it isn't heard.
    isUnheard:
      isHereUnread ||
      there.kind === 'failed' ||
      doesNotAnswer ||
      [...fromHere, ...fromThere].some(({ isUnheard }) => isUnheard),
    isHereUnread,
  };
}

function mergeStreams(fromHere: readonly StreamView[], there: readonly StreamView[]): StreamView[] {
  const sent = fromHere.filter((stream) => stream.serviceId !== undefined || pickMostUrgent([stream]) !== undefined);
  return [...sent, ...there.filter(({ id }) => !sent.some((stream) => stream.id === id))];
}

/** The streams of a service: with an id, a remote service's; else this computer's, and those of remote services that it sends to. */
export function useServiceStreams(serviceId: string | undefined): LiveSnapshot<StreamView[]> {
  return useLiveValue(listStreams(useStore(), serviceId));
}

/** The list that {@link useServiceStreams} shows. */
export function listStreams(store: LiveStore, serviceId: string | undefined): LiveValue<StreamView[]> {
  return serviceId === undefined ? store.streams : store.remoteStreams(serviceId);
}
