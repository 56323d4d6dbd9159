import type { EndReason } from '../../shared/model/live.ts';
import { OneClickFailure } from '../../shared/model/one-click-failure.ts';
import { parseJson } from '../lib/parse-json.ts';

/** Why a session ended, and by whom or what if the reason does not say. */
export interface EndCause {
  reason: EndReason;
  /** The name of an API key. */
  by?: string | undefined;
  /** Why our own encoder failed. */
  failure?: OneClickFailure | undefined;
}

/** `by` or `failure` as stored: the name of an API key, or the failure as JSON. */
export function formatEndedBy({ by, failure }: EndCause): string | undefined {
  return failure === undefined ? by : JSON.stringify(failure);
}

/**
 * Parses what {@link formatEndedBy} wrote. Earlier versions stored a failure in words. One whose JSON only another version knows is
 * left out.
 */
export function parseEndedBy(reason: EndReason, text: string): Pick<EndCause, 'by' | 'failure'> {
  if (reason !== 'encoder-failed') return { by: text };
  const json = parseJson(text);
  const { data: failure } = OneClickFailure.safeParse(json);
  if (failure !== undefined) return { failure };
  return typeof json === 'object' ? {} : { failure: { code: 'said', text } };
}

/** Whether a session with this end was lost, that is, ended unintentionally. */
export function isLoss(reason: EndReason): boolean {
  return reason === 'ingest-lost' || reason === 'encoder-failed' || reason === 'service-crashed';
}
