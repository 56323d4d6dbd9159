import { formatDuration } from '../../shared/format-duration.ts';
import type { EndedBroadcast } from '../../shared/model/live.ts';
import { withUnit } from '../../shared/with-unit.ts';
import { describeEnd } from '../../shared/words/end-words.ts';
import { formatMoment } from '../format/moment.ts';

/** How long viewers had the broadcast, without the time its encoder was gone. */
export function formatOnAir({ onAirMs }: Pick<EndedBroadcast, 'onAirMs'>): string {
  return formatDuration(onAirMs / 1000);
}

/** The text of a lost broadcast's card. `clockOffsetMs` is how far the service's clock is ahead of the page's, which says `nowMs`. */
export function describeLost(ended: EndedBroadcast, clockOffsetMs: number, nowMs: number): { title: string; sentence: string } {
  const { endedAt, goneMs, reason } = ended;
  const title = `Your broadcast ended at ${formatMoment(endedAt - clockOffsetMs, nowMs)}`;
  const onAir = `On air for ${formatOnAir(ended)}.`;
  return reason === 'ingest-lost' && goneMs !== undefined
    ? { title: `${title}: the encoder was gone for ${withUnit(Math.floor(goneMs / 1000), 's')}`, sentence: onAir }
    : { title, sentence: `${describeEnd(ended)} ${onAir}` };
}
