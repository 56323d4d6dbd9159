import type { EndReason } from '../../shared/model/live.ts';
import { OneClickFailure } from '../../shared/model/one-click-failure.ts';

/** Why a session ended, and by whom or what, where the reason does not say. */
export interface EndCause {
  reason: EndReason;
  /** The name of an API key. */
  by?: string | undefined;
  /** What our own encoder failed of. */
  failure?: OneClickFailure | undefined;
}

/** By whom or what, as the store has it: the name of an API key, or a failure as JSON. */
export function formatEndedBy({ by, failure }: EndCause): string | undefined {
  return failure === undefined ? by : JSON.stringify(failure);
}

/** Reads what {@link formatEndedBy} wrote; earlier versions wrote a failure in words. */
export function parseEndedBy(reason: EndReason, text: string): Pick<EndCause, 'by' | 'failure'> {
  if (reason !== 'encoder-failed') return { by: text };
  try {
    return { failure: OneClickFailure.parse(JSON.parse(text)) };
  } catch {
    return { failure: { code: 'said', text } };
  }
}

/** Whether a session ended that nobody meant to end. */
export function isLoss(reason: EndReason): boolean {
  return reason === 'ingest-lost' || reason === 'encoder-failed' || reason === 'service-crashed';
}
