import { assertNever } from '../assert-never.ts';
import type { EndReason } from '../model/live.ts';
import type { OneClickFailure } from '../model/one-click-failure.ts';
import { describeFailure } from './failure-words.ts';

/** How a broadcast ended, in the fewest words that say by whom. */
export const endWords: Readonly<Record<EndReason, string>> = {
  stopped: 'You stopped it',
  'encoder-stopped': 'The encoder stopped',
  'ingest-lost': 'The encoder was lost',
  'encoder-failed': 'Tallylight’s encoder failed',
  terminated: 'Another program ended it',
  deleted: 'Stream deleted',
  suspended: 'Stream suspended',
  'service-closed': 'Tallylight closed',
  'service-crashed': 'Tallylight crashed',
};

/** How a broadcast ended: why, and by the API key of which program or of what failure of our own encoder. */
export interface HowEnded {
  reason: EndReason;
  by?: string | undefined;
  failure?: OneClickFailure | undefined;
  /** For how long its encoder had been gone. */
  goneMs?: number | undefined;
}

/** Why a broadcast ended, and by whom, in a sentence or two. */
export function describeEnd({ reason, by, failure, goneMs }: HowEnded): string {
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
      return `The broadcast ended: Tallylight could not go on encoding.${failure === undefined ? '' : ` ${describeFailure(failure)}`}`;
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
