import { findServiceId } from '../routing/route.ts';
import { describeAir, nameForTitle, noContact } from '../status/air-status.ts';
import { type AirSummary, toneOf } from '../status/summarize-air.ts';
import { useAirSummary } from './use-air-summary.ts';
import { useDocumentTitle } from './use-document-title.ts';
import { useRoute } from './use-route.ts';

/** Sets the title on screens that aren't about one stream, starting with what is on air or in trouble, as the bar above shows it. */
export function useScreenTitle(screen: string): void {
  const shown = useAirSummary(findServiceId(useRoute()));
  useDocumentTitle([nameUrgent(shown), screen, 'Tallylight'].filter(Boolean).join(' · '), toneOf(shown));
}

function nameUrgent(shown: AirSummary): string | undefined {
  if (shown.kind === 'stream') return `${nameForTitle(describeAir(shown.stream))} — ${shown.stream.name}`;
  return shown.kind === 'status' && shown.status === noContact ? nameForTitle(noContact) : undefined;
}
