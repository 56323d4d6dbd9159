import { assertNever } from '../../shared/assert-never.ts';
import type { EndReason } from '../../shared/model/live.ts';

/** Why a broadcast ended, as one sentence for the log and for the encoder that is sent away. `goneMs` is for how long its encoder was gone. */
export function describeEnd(reason: EndReason, goneMs?: number): string {
  switch (reason) {
    case 'stopped':
      return 'The broadcast was stopped in Tallylight.';
    case 'encoder-stopped':
      return 'The encoder ended the broadcast.';
    case 'ingest-lost':
      return goneMs === undefined
        ? 'The broadcast ended: the encoder did not come back in time.'
        : `The broadcast ended: the encoder was gone for ${Math.floor(goneMs / 1000)} s.`;
    case 'terminated':
      return 'A program ended the broadcast over the interface.';
    case 'deleted':
      return 'The stream was deleted.';
    case 'suspended':
      return 'The stream was suspended.';
    case 'service-closed':
      return 'Tallylight was closed.';
    case 'service-crashed':
      return 'The broadcast ended because Tallylight crashed or lost power.';
    default:
      return assertNever(reason);
  }
}
