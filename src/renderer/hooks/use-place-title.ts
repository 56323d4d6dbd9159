import { describeAir, nameForTitle, noContact } from '../status/air-status.ts';
import { summarizeAir } from '../status/summarize-air.ts';
import { useDocumentTitle } from './use-document-title.ts';
import { useLostContact } from './use-lost-contact.ts';
import { useStreamsAround } from './use-service-streams.ts';

/** Sets the title in places that aren't about one stream, starting with what is on air or in trouble. */
export function usePlaceTitle(place: string): void {
  const shown = summarizeAir(useStreamsAround(undefined));
  const isLost = useLostContact() !== undefined;
  const isUnheard = isLost || (shown.kind === 'status' && shown.status === noContact);
  const urgent = shown.kind === 'stream' ? `${nameForTitle(describeAir(shown.stream))} — ${shown.stream.name}` : undefined;
  useDocumentTitle([isUnheard ? nameForTitle(noContact) : urgent, place, 'Tallylight'].filter(Boolean).join(' · '));
}
