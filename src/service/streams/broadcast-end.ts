import type { EndReason } from '../../shared/model/live.ts';

/** Why a broadcast ended, and by whom or what, where the reason does not say: the name of an API key, or what its encoder failed of. */
export interface BroadcastEnd {
  reason: EndReason;
  by?: string | undefined;
}

/** Whether a broadcast ended that nobody meant to end. */
export function isLoss(reason: EndReason): boolean {
  return reason === 'ingest-lost' || reason === 'encoder-failed' || reason === 'service-crashed';
}
