import type { LogEventOf } from '../model/log-line.ts';
import { describeIngestFailure } from './ingest-failure-words.ts';
import { formatRegion } from './region-name.ts';

/** What happened between a broadcast and its regions. */
export function describeRegionEvent(event: LogEventOf<'region-failed' | 'region-changed' | 'region-refused'>): string {
  switch (event.code) {
    case 'region-failed': {
      const why = event.failure === undefined ? '' : ` ${describeIngestFailure(event.failure)}`;
      const next = event.isOffer ? ` You can continue in ${formatRegion(event.next)}, the next nearest.` : '';
      return `The region ${formatRegion(event.region)} failed.${why}${next}`;
    }
    case 'region-changed': {
      const how = event.isAutomatic ? 'The broadcast continues' : 'You let the broadcast continue';
      return `${how} in ${formatRegion(event.to)} instead of ${formatRegion(event.from)}. Viewers need the playback URL of ${formatRegion(event.to)}.`;
    }
    case 'region-refused':
      return `The region ${formatRegion(event.region)} refused the broadcast, which keeps trying in ${formatRegion(event.back)}. ${describeIngestFailure(event.failure)}`;
  }
}
