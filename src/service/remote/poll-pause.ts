import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';

/** Why the last poll failed, and how many have in a row. */
export interface PollFailure {
  failure: RemoteFailure;
  count: number;
}

/** The pause until the next poll, in milliseconds. It grows with each failure, but ends once the service may be asked again. */
export function pollPauseMs(pauseMs: number, failed: PollFailure | undefined): number {
  if (failed === undefined) return pauseMs;
  const { failure, count } = failed;
  const grownMs = Math.max(pauseMs, retryPauseMs(count));
  return 'askedAgainInSeconds' in failure && failure.askedAgainInSeconds !== undefined
    ? Math.min(grownMs, failure.askedAgainInSeconds * 1000)
    : grownMs;
}
