import { assertNever } from '../assert-never.ts';
import type { LogEventOf } from '../model/log-line.ts';
import { type FieldFault, maxBaseUrlLength, type NetworkFault } from '../model/region.ts';
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

/** What is wrong with a field of a region's form, and how to correct it. */
export function describeFieldFault(fault: FieldFault): string {
  switch (fault.code) {
    case 'no-region-code':
      return 'Use the three-letter code of a nearby airport, like ber.';
    case 'no-base-url':
      return `Use a URL like "${fault.example}", without a slash at its end.`;
    case 'too-long':
      return `Use a URL of at most ${maxBaseUrlLength} characters.`;
    case 'listed-twice':
      return 'Use another code: each region can be listed only once.';
    case 'names-other':
      return `Use a URL of region ${fault.region}: this one names ${fault.named}.`;
    case 'url-taken':
      return 'Use another URL: another region already has this one.';
    case 'host-differs':
      return 'Use the same host and port as in the base URL.';
    case 'too-many':
      return 'The list is full. Remove another region first.';
    default:
      return assertNever(fault);
  }
}

/** What is wrong with a new network, and how to correct it. */
export const networkFaultWords: Readonly<Record<NetworkFault, string>> = {
  'listed-twice': 'This network is already listed.',
  'no-network': 'Use a network like 203.0.113.0/24 or 2001:db8::/32.',
};
