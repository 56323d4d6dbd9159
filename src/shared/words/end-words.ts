import { assertNever } from '../assert-never.ts';
import { EncodeFailure } from '../model/encode-failure.ts';
import type { EndReason } from '../model/live.ts';
import type { OneClickFailure } from '../model/one-click-failure.ts';
import { withUnit } from '../with-unit.ts';
import { describeFailure } from './failure-words.ts';

/** How a broadcast ended, as a short label. */
export const endWords: Readonly<Record<EndReason, string>> = {
  stopped: 'You stopped it',
  'encoder-stopped': 'The encoder stopped',
  'ingest-lost': 'The encoder was lost',
  'encoder-failed': "Tallylight's encoder failed",
  terminated: 'Another program ended it',
  deleted: 'Stream deleted',
  suspended: 'Stream suspended',
  'service-closed': 'Tallylight closed',
  'service-crashed': 'Tallylight crashed',
};

/** How a broadcast ended: the reason, plus the API key or the encoder failure behind it. */
export interface HowEnded {
  reason: EndReason;
  by?: string | undefined;
  failure?: OneClickFailure | undefined;
  /** How long its encoder had been gone. */
  goneMs?: number | undefined;
}

/** Why a broadcast ended, and who ended it, in a sentence or two. */
export function describeEnd(how: HowEnded): string {
  const { ended, cause } = splitEnd(how);
  return cause === undefined ? ended : `${ended} ${cause}`;
}

/** The two sentences of {@link describeEnd}: that it ended and who ended it, and the failure behind it. */
export function splitEnd(how: HowEnded): { ended: string; cause: string | undefined } {
  const { reason, failure } = how;
  const cause = reason === 'encoder-failed' && failure !== undefined ? describeFailure(failure) : undefined;
  return { ended: describeReason(how), cause };
}

function describeReason({ reason, by, failure, goneMs }: HowEnded): string {
  const program = by === undefined ? 'A program' : `A program using the API key “${by}”`;
  switch (reason) {
    case 'stopped':
      return 'You stopped the broadcast in Tallylight.';
    case 'encoder-stopped':
      return 'The encoder ended the broadcast.';
    case 'ingest-lost':
      return goneMs === undefined
        ? "The broadcast ended because the encoder didn't come back in time."
        : `The broadcast ended after the encoder was gone for ${withUnit(Math.floor(goneMs / 1000), 's')}.`;
    case 'encoder-failed':
      return describeFailedSide(failure);
    case 'terminated':
      return `${program} ended the broadcast through the API.`;
    case 'deleted':
      return by === undefined ? 'The stream was deleted in Tallylight.' : `${program} deleted the stream through the API.`;
    case 'suspended':
      return by === undefined ? 'The stream was suspended in Tallylight.' : `${program} suspended the stream through the API.`;
    case 'service-closed':
      return 'Tallylight was closed.';
    case 'service-crashed':
      return 'The broadcast ended because Tallylight crashed or lost power.';
    default:
      return assertNever(reason);
  }
}

function describeFailedSide(failure: OneClickFailure | undefined): string {
  if (failure === undefined || isOfEncoder(failure)) return ownFailure;
  // Earlier versions stored only words, which don't say whose failure it was.
  return failure.code === 'said' ? unknownFailure : ingestFailure;
}

const unknownFailure = 'The broadcast ended by itself.';
const ownFailure = "The broadcast ended because Tallylight's encoder failed.";
const ingestFailure = 'The broadcast ended because its ingest stopped accepting it.';

function isOfEncoder({ code }: OneClickFailure): boolean {
  return EncodeFailure.options.some(({ shape }) => shape.code.value === code);
}
