import { nameForTitle, noContact, pickMostUrgent } from '../status/air-status.ts';
import { useStore } from '../store/store-context.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useLiveValue } from './use-live-value.ts';
import { useLostContact } from './use-lost-contact.ts';

/** Sets the title in places that aren't about one stream, starting with what is on air or in trouble. */
export function usePlaceTitle(place: string): void {
  const streams = useLiveValue(useStore().streams);
  const isLost = useLostContact() !== undefined;
  const urgent = streams.kind === 'known' ? pickMostUrgent(streams.value) : undefined;
  const state = isLost ? nameForTitle(noContact) : urgent && `${nameForTitle(urgent.status)} — ${urgent.stream.name}`;
  useDocumentTitle([state, place, 'Tallylight'].filter(Boolean).join(' · '));
}
