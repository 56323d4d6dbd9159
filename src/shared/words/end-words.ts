import { assertNever } from '../assert-never.ts';
import type { EndReason } from '../model/live.ts';

/** Why a broadcast ended, and by whom, in a sentence or two. `goneMs` is for how long its encoder was gone. */
export function describeEnd({
  reason,
  by,
  goneMs,
}: {
  reason: EndReason;
  by?: string | undefined;
  goneMs?: number | undefined;
}): string {
  const program = by === undefined ? 'A program' : `A program with the API key “${by}”`;
  switch (reason) {
    case 'stopped':
      return 'You stopped the broadcast in Tallylight.';
    case 'encoder-stopped':
      return 'The encoder ended the broadcast.';
    case 'ingest-lost':
      return goneMs === undefined
        ? 'The broadcast ended: the encoder did not come back in time.'
        : `The broadcast ended: the encoder was gone for ${Math.floor(goneMs / 1000)} s.`;
    case 'encoder-failed':
      return `The broadcast ended: Tallylight could not go on encoding.${by === undefined ? '' : ` ${by}`}`;
    case 'terminated':
      return `${program} ended the broadcast over the interface.`;
    case 'deleted':
      return by === undefined ? 'The stream was deleted in Tallylight.' : `${program} deleted the stream over the interface.`;
    case 'suspended':
      return by === undefined
        ? 'The stream was suspended in Tallylight.'
        : `${program} suspended the stream over the interface.`;
    case 'service-closed':
      return 'Tallylight was closed.';
    case 'service-crashed':
      return 'The broadcast ended because Tallylight crashed or lost power.';
    default:
      return assertNever(reason);
  }
}
