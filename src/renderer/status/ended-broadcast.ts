import { formatDuration } from '../../shared/format-duration.ts';
import type { EndedBroadcast } from '../../shared/model/live.ts';
import { withUnit } from '../../shared/with-unit.ts';
import { splitEnd } from '../../shared/words/end-words.ts';
import { formatMoment } from '../format/moment.ts';

/** How long viewers had the broadcast, without the time its encoder was gone. */
export function formatOnAir({ onAirMs }: Pick<EndedBroadcast, 'onAirMs'>): string {
  return formatDuration(onAirMs / 1000);
}

/** The text of a lost broadcast's card. */
interface LostWords {
  title: string;
  sentence: string;
  /** The failure behind it. That is news by itself, which is announced wherever the user is. */
  cause?: string;
}

/** The text of the card. `clockOffsetMs` is how far the service's clock is ahead of the page's, which reads `nowMs`. */
export function describeLost(ended: EndedBroadcast, clockOffsetMs: number, nowMs: number): LostWords {
  const { endedAt, goneMs, reason } = ended;
  const title = `Your broadcast ended at ${formatMoment(endedAt - clockOffsetMs, nowMs)}`;
  const onAir = `On air for ${formatOnAir(ended)}.`;
  if (reason === 'ingest-lost' && goneMs !== undefined) {
    return { title: `${title}: the encoder was gone for ${withUnit(Math.floor(goneMs / 1000), 's')}`, sentence: onAir };
  }
  const { ended: why, cause } = splitEnd(ended);
  return { title, sentence: `${why} ${onAir}`, ...(cause !== undefined && { cause }) };
}
